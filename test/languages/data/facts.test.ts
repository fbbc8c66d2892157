/** Every fact of a file that has most of what the language can say. */
import { extract } from '../../../src/extract/extract.js';
import { testFacts, testSamples } from '../recorded-facts.js';

testFacts(extract, 'terraform', 'dockerfile');
testSamples(extract, 'ini', 'json', 'markdown', 'notebook', 'templ', 'toml', 'yaml');
