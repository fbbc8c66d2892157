/** Every fact of the files of all languages, which state their rules in the formats of this folder. */
import { RECORDED, testFacts } from '../recorded-facts.js';

testFacts(...RECORDED);
