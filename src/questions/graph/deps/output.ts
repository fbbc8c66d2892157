/** Document of `graph deps`. */
import * as s from '../../../params/shape.js';
import { count } from '../../output-parts.js';
import { edgeKind, header, line, some } from '../output-parts.js';

const fileStateSchema = s
  .enum(['linked', 'none', 'degraded', 'unreadable'])
  .describe('What is known of it; none: nothing of calls in its language.');

const link = s.object({
  path: s.string(),
  kinds: s.array(edgeKind).describe('Kinds of imports; empty where it is used without one.'),
  lines: s.array(line).describe('Lines of the imports, or of uses where there are none; the first few.'),
  names: some(s.string()).describe('Symbols used, most used first.'),
});

const outside = s.object({ specifier: s.string(), kind: edgeKind, line });

const reached = s.object({ path: s.string(), hops: count, via: s.string().describe('The file before it.') });

const facts = {
  file: s.object({ path: s.string(), language: s.string(), state: fileStateSchema, lines: count }),
  imports: some(link),
  external: some(outside).describe('Packages and standard libraries.'),
  unresolved: some(outside).describe('Imports that should lead to a file and do not.'),
  dependents: some(link).describe('Files that import or use it.'),
  transitive: s
    .object({ depth: count, imports: some(reached), dependents: some(reached) })
    .optional()
    .describe('With transitive: imports of imports, and so on.'),
};

export const graphDepsResponseSchema = s.object({
  ...header,
  target: s.string(),
  ...facts,
});

export type GraphDepsResponse = s.Infer<typeof graphDepsResponseSchema>;
/** The imports of a file, without the snapshot that they are of. */
export type Deps = s.InferFields<typeof facts>;
/** An import that leads to no file of the repository. */
export type OutsideImport = s.Infer<typeof outside>;
/** A file at the end of a chain of imports. */
export type Reached = s.Infer<typeof reached>;
