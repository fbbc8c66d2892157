/** Document of `graph deps`. */
import { z } from 'zod';
import { count } from '../../output-parts.js';
import { edgeKind, header, line, some } from '../output-parts.js';

const fileStateSchema = z
  .enum(['linked', 'none', 'degraded', 'unreadable'])
  .describe('What is known of it; none: nothing of calls in its language.');

const link = z.strictObject({
  path: z.string(),
  kinds: z.array(edgeKind).describe('Kinds of imports; empty where it is used without one.'),
  lines: z.array(line).describe('Lines of the imports, or of uses where there are none; the first few.'),
  names: some(z.string()).describe('Symbols used, most used first.'),
});

const outside = z.strictObject({ specifier: z.string(), kind: edgeKind, line });

const reached = z.strictObject({ path: z.string(), hops: count, via: z.string().describe('The file before it.') });

const facts = {
  file: z.strictObject({ path: z.string(), language: z.string(), state: fileStateSchema, lines: count }),
  imports: some(link),
  external: some(outside).describe('Packages and standard libraries.'),
  unresolved: some(outside).describe('Imports that should lead to a file and do not.'),
  dependents: some(link).describe('Files that import or use it.'),
  transitive: z
    .strictObject({ depth: count, imports: some(reached), dependents: some(reached) })
    .optional()
    .describe('With transitive: imports of imports, and so on.'),
};

export const graphDepsResponseSchema = z.strictObject({
  ...header,
  target: z.string(),
  ...facts,
});

export type GraphDepsResponse = z.infer<typeof graphDepsResponseSchema>;
/** The imports of a file, without the snapshot that they are of. */
export type Deps = z.infer<z.ZodObject<typeof facts>>;
/** An import that leads to no file of the repository. */
export type OutsideImport = z.infer<typeof outside>;
/** A file at the end of a chain of imports. */
export type Reached = z.infer<typeof reached>;
