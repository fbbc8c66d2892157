/** Document of `explain`: of each path whether it is indexed, and why not. */
import { z } from 'zod';
import { answer, count, oid } from '../output-parts.js';
import { REASONS, type ReasonName } from './reasons.js';

const NAMES = Object.keys(REASONS) as [ReasonName, ...ReasonName[]];

export const leftOutRule = z
  .strictObject({
    pattern: z.string().describe('A name, a glob, a folder, or a size.'),
    source: z.string().describe('The file or setting that it stands in; "built-in" for rules of the program.'),
    line: z.number().int().positive().nullable().describe('Line of that file, where it has lines.'),
  })
  .describe('The rule that leaves the file out.');

const explainedFile = z.strictObject({
  path: z.string().describe('Path from the top of the repository.'),
  state: z
    .enum(['indexed', 'left-out', 'pending', 'folder', 'absent'])
    .describe('`pending`: the next run of the indexer adds it.'),
  reason: z.enum(NAMES).nullable().describe('Why it is not indexed.'),
  rule: leftOutRule.nullable(),
  next: z.string().nullable().describe('What to type or do next.'),
  uncommitted: z.literal(true).optional().describe('It differs from HEAD; this is about the file of the work tree.'),
  near: z.array(z.string()).optional().describe('Of an absent file: files with a similar name.'),
  folder: z
    .strictObject({ files: count, leftOut: z.record(z.string(), count) })
    .optional()
    .describe('Of a folder: how many of its files are selected, and how many are left out for each reason.'),
  file: z
    .strictObject({
      blob: oid,
      bytes: count,
      language: z.string(),
      marks: z
        .array(z.enum(['generated', 'vendored', 'forwarding']))
        .describe('What places it lower in results; `forwarding`: it only re-exports.'),
      chunks: count,
      symbols: count,
      vectors: z
        .strictObject({ covered: count, total: count, embedder: z.string(), model: z.string() })
        .describe('Chunks with a vector.'),
      record: z
        .strictObject({
          state: z.enum(['shared', 'local', 'none']),
          profile: z.string(),
          remotes: z.array(z.string()).describe('Remotes that have it, as of the last fetch or push.'),
        })
        .describe('The note from which other clones build their index.'),
      degraded: z.string().nullable().describe('Why it is indexed by lines, without symbols.'),
      graph: z
        .enum(['linked', 'degraded', 'none'])
        .describe('`linked`: with imports and uses; else the graph knows only that it exists.'),
    })
    .optional(),
});

export const explainSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  files: z.array(explainedFile),
});

export type ExplainResponse = z.infer<typeof explainSchema>;
export type ExplainedFile = z.infer<typeof explainedFile>;
export type IndexedFile = NonNullable<ExplainedFile['file']>;
export type LeftOutRule = z.infer<typeof leftOutRule>;
