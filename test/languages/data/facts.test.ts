/** Every fact of a file that has most of what the language can say. */
import { testFacts } from '../recorded-facts.js';

testFacts('terraform', 'dockerfile');
