/** `explain`: whether a path is indexed, by which rule it is not, and what the index has of it. */
import { list, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { answer, count, oid, parseError } from '../shared-output.js';
import { snapshot } from '../shared-params.js';
import { REASONS, type ReasonName } from './reasons.js';

const NAMES = Object.keys(REASONS) as [ReasonName, ...ReasonName[]];

export const leftOutRule = s
  .object({
    pattern: s.string().describe('A name, a glob, a folder, or a size.'),
    source: s.string().describe('The file or setting that it stands in; "built-in" for rules of the program.'),
    line: s.integer({ exclusiveMinimum: 0 }).nullable().describe('Line of that file, where it has lines.'),
  })
  .describe('The rule that leaves the file out.');

const explainedFile = s.object({
  path: s.string().describe('Path from the top of the repository.'),
  state: s
    .enum(['indexed', 'left-out', 'pending', 'folder', 'absent'])
    .describe('`pending`: the next run of the indexer adds it.'),
  reason: s.enum(NAMES).nullable().describe('Why it is not indexed.'),
  rule: leftOutRule.nullable(),
  next: s.string().nullable().describe('What to type or do next.'),
  uncommitted: s.literal(true).optional().describe('It differs from HEAD; this is about the file of the work tree.'),
  near: s.array(s.string()).optional().describe('Of an absent file: files with a similar name.'),
  folder: s
    .object({ files: count, leftOut: s.record(count) })
    .optional()
    .describe('Of a folder: how many of its files are selected, and how many are left out for each reason.'),
  file: s
    .object({
      blob: oid,
      bytes: count,
      language: s.string(),
      marks: s
        .array(s.enum(['generated', 'vendored', 'forwarding']))
        .describe('What places it lower in results; `forwarding`: it only re-exports.'),
      chunks: count,
      symbols: count,
      vectors: s
        .object({ covered: count, total: count, embedder: s.string(), model: s.string() })
        .describe('Chunks with a vector.'),
      record: s
        .object({
          state: s.enum(['shared', 'local', 'none']),
          profile: s.string(),
          remotes: s.array(s.string()).describe('Remotes that have it, as of the last fetch or push.'),
        })
        .describe('The note from which other clones build their index.'),
      degraded: s.string().nullable().describe('Why it is indexed by lines, without symbols.'),
      parseErrors: s
        .array(parseError)
        .optional()
        .describe('Lines that its grammar could not read; absent where it is not known.'),
      graph: s
        .enum(['linked', 'degraded', 'none'])
        .describe('`linked`: with imports and uses; else the graph knows only that it exists.'),
    })
    .optional(),
});

export const explainSchema = s.object({
  schemaVersion: s.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  files: s.array(explainedFile),
});

export type ExplainResponse = s.Infer<typeof explainSchema>;
export type ExplainedFile = s.Infer<typeof explainedFile>;
export type IndexedFile = NonNullable<ExplainedFile['file']>;
export type LeftOutRule = s.Infer<typeof leftOutRule>;

/** Most paths of one question. */
const MAX_PATHS = 1_000;

const params = {
  paths: list({
    summary: 'files or folders, from the current directory or from the top',
    required: true,
    minLength: 1,
    maxEntries: MAX_PATHS,
    completes: 'path',
    cli: { argument: '<paths...>' },
  }),
  ...snapshot,
} as const;

export type ExplainValues = Values<typeof params>;

export const question = defineQuestion<typeof params, ExplainResponse>({
  name: 'explain',
  summary: 'say whether files are indexed, by which rule they are not, and what the index has of them',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerExplain,
  text: async () => (await import('./reasons.js')).explainText,
  documents: { explain: { schema: explainSchema } },
  command: {
    group: 'Index',
    examples: [
      ['explain src/cart.ts', 'whether a file is indexed, and with what'],
      ['explain certs/ca.pem --ref v1.2', 'why a release has no result in a file'],
    ],
    readOnly: true,
    isNegative: ({ files }) => files.some(({ state }) => state !== 'indexed' && state !== 'folder'),
  },
});
