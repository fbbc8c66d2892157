/** Every fact of the files of all languages: what one pass over a tree finds, finished and filtered. */
import { extract } from '../../../src/extract/extract.js';
import { RECORDED, testFacts } from '../../languages/recorded-facts.js';

testFacts(extract, ...RECORDED);
