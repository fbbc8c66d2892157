/** Documents of `graph`, one for each question. */
export * from '../../questions/graph/flow/output.js';
export * from '../../questions/graph/outline/map/output.js';
export * from '../../questions/graph/outline/output.js';
export * from '../../questions/graph/status/output.js';
export * from '../../questions/graph/visualize/output.js';
