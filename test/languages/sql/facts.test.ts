/** Every fact of a file that has most of what the language can say. */
import { extract } from '../../../src/extract/extract.js';
import { testFacts, testSamples } from '../recorded-facts.js';

testFacts(extract, 'sql');
testSamples(extract, 'sql');
