/** Linked snapshots as bytes: the graph, which every question needs, apart from what only relinking needs. */
export { decodeMemory, encodeMemory } from './memory.js';
export { decodeTables, encodeTables } from './tables.js';
