/**
 * The documents of `--json` (and, later, of MCP's structuredContent) as zod schemas; `schemas/` holds the JSON Schemas
 * generated from them. Only tests and the generator load zod: the program itself uses the types.
 */

export * from '../questions/fsck/output.js';
export * from '../questions/hooks/output.js';
export * from '../questions/mcp/install/output.js';
export * from './contract/context.js';
