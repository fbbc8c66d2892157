/**
 * The documents of `--json` (and, later, of MCP's structuredContent) as zod schemas; `schemas/` holds the JSON Schemas
 * generated from them. Only tests and the generator load zod: the program itself uses the types.
 */

export * from '../questions/fsck/output.js';
export * from '../questions/hooks/output.js';
export * from '../questions/mcp/install/output.js';
<<<<<<< HEAD
export * from '../questions/profiles/output.js';
export * from '../questions/projects/output.js';
export * from '../questions/share/output.js';
export * from '../questions/watch/output.js';
=======
export { errorSchema } from '../questions/output-parts.js';
>>>>>>> 7286197 (questions: index, watch, push, pull, share, export, import, profiles, compact, remove, projects and about are declared)
export * from './contract/context.js';
export * from './contract/diff.js';
export * from './contract/graph.js';
export * from './contract/history.js';
export * from './contract/pack.js';
