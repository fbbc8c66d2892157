/** Every fact of a file that has most of what the language can say, and where uses in a project lead. */
import { extract } from '../../../src/extract/extract.js';
import { linkSnapshot } from '../../../src/graph/link/link-snapshot.js';
import { testEdges } from '../../graph/link/recorded.js';
import { testFacts, testSamples } from '../recorded-facts.js';

testFacts(extract, 'python');
testSamples(extract, 'python');
testEdges(linkSnapshot, 'python');
