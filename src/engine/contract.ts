/**
 * The documents of `--json` (and, later, of MCP's structuredContent) as zod schemas; `schemas/` holds the JSON Schemas
 * generated from them. Only tests and the generator load zod: the program itself uses the types.
 */

export * from './contract/context.js';
