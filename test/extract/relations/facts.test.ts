/** Every fact of the files of all languages: what one pass over a tree finds, finished and filtered. */
import { RECORDED, testFacts } from '../../languages/recorded-facts.js';

testFacts(...RECORDED);
