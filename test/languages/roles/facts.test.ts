/** Every fact of the files of all languages, which state their rules in the formats of this folder, and where their uses lead. */
import { extract } from '../../../src/extract/extract.js';
import { linkSnapshot } from '../../../src/graph/link/link-snapshot.js';
import { LINKED, testEdges } from '../../graph/link/recorded.js';
import { RECORDED, testFacts } from '../recorded-facts.js';

testFacts(extract, ...RECORDED);
testEdges(linkSnapshot, ...LINKED);
