/** Preloaded into every process of the program, as if Quill stood in the registry. */
import { register } from '../../../src/languages/registry.js';
import { quill } from './index.js';

register(quill);
