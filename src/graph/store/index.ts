/** Encodes a linked snapshot as two files: the graph for all queries, and the memory that only relinking reads. */
export { decodeMemory, encodeMemory } from './memory.js';
export { decodeTables, encodeTables } from './tables.js';
