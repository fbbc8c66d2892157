/** Preloaded with `--import`: has every module that is loaded written to the file named by MODULES_LOG. */
import { register } from 'node:module';

register('./module-hooks.js', import.meta.url);
