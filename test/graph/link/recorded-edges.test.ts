/** Where uses in the fixtures' projects of all languages lead. */
import { linkSnapshot } from '../../../src/graph/link/link-snapshot.js';
import { LINKED, testEdges } from './recorded.js';

testEdges(linkSnapshot, ...LINKED);
