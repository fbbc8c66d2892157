/**
 * The documents of `--json` (and, later, of MCP's structuredContent) as zod schemas; `schemas/` holds the JSON Schemas
 * generated from them. Only tests and the generator load zod: the program itself uses the types.
 */
export * from './contract/diff.js';
export * from './contract/graph.js';
export * from './contract/history.js';
export * from './contract/hooks.js';
export * from './contract/index.js';
export * from './contract/maintenance.js';
export * from './contract/overlay.js';
export * from './contract/portable.js';
export * from './contract/profiles.js';
export * from './contract/search.js';
export * from './contract/share.js';
export * from './contract/status.js';
