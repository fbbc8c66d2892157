/**
 * The documents of `--json` (and, later, of MCP's structuredContent) as zod schemas; `schemas/` holds the JSON Schemas
 * generated from them. Only tests and the generator load zod: the program itself uses the types.
 */
export * from './contract/admin.js';
export * from './contract/context.js';
export * from './contract/diff.js';
export * from './contract/doctor.js';
export * from './contract/fsck.js';
export * from './contract/graph.js';
export * from './contract/health.js';
export * from './contract/history.js';
export * from './contract/hooks.js';
export * from './contract/index.js';
export type { LinkedAnswer, LinkState } from './contract/linked.js';
export * from './contract/maintenance.js';
export * from './contract/mcp-install.js';
export * from './contract/overlay.js';
export * from './contract/pack.js';
export * from './contract/portable.js';
export * from './contract/profiles.js';
export * from './contract/projects.js';
export * from './contract/search.js';
export * from './contract/serve.js';
export * from './contract/share.js';
export * from './contract/status.js';
