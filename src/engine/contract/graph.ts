/** Documents of `graph`, one for each question. */
export * from './graph/flow.js';
export * from './graph/map.js';
export * from './graph/outline.js';
export * from './graph/status.js';
export * from './graph/visualize.js';
