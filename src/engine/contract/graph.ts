/** Documents of `graph`, one for each question. */
export * from '../../questions/graph/candidates/output.js';
export * from '../../questions/graph/impact/output.js';
export * from './graph/cycles.js';
export * from './graph/deps.js';
export * from './graph/flow.js';
export * from './graph/map.js';
export * from './graph/outline.js';
export * from './graph/path.js';
export * from './graph/references.js';
export * from './graph/stats.js';
export * from './graph/status.js';
export * from './graph/symbol.js';
export * from './graph/symbols.js';
export * from './graph/visualize.js';
