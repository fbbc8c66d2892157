/** Documents of `graph`, one for each question. */
export * from '../../questions/graph/candidates/output.js';
export * from '../../questions/graph/impact/output.js';
export * from '../../questions/graph/cycles/output.js';
export * from '../../questions/graph/deps/output.js';
export * from './graph/flow.js';
export * from './graph/map.js';
export * from './graph/outline.js';
export * from '../../questions/graph/path/output.js';
export * from '../../questions/graph/references/output.js';
export * from '../../questions/graph/stats/output.js';
export * from './graph/status.js';
export * from '../../questions/graph/symbol/output.js';
export * from '../../questions/graph/symbols/output.js';
export * from './graph/visualize.js';
