/** `diff`, `codebase_diff`: the symbols that differ between two refs. */
import { groupDigits } from '../../base/printable.js';
import { integer, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count, oid, placeSchema } from '../shared-output.js';
import { ONE_GLOB, path } from '../shared-params.js';

/** Most symbols listed. */
export const MAX_LIMIT = 100_000;
/** Default number of symbols on the command line. */
export const COMMAND_LIMIT = 200;

/** One end of the range, as agents name it. */
const versionParam = (summary: string) => text({ summary, maxLength: 1_024, completes: 'range', cli: false });

export const params = {
  refs: list({
    summary: 'A (compared with HEAD), A B, A..B, or A...B (since they parted)',
    completes: 'range',
    cli: { argument: '<refs...>' },
  }),
  from: versionParam('the older side, or both as A..B or A...B'),
  to: versionParam('the newer side'),
  path,
  limit: integer({
    summary: 'symbols listed',
    min: 1,
    max: MAX_LIMIT,
    defaultText: groupDigits(COMMAND_LIMIT),
    cli: { short: '-n', value: 'n' },
  }),
} as const;

export type DiffValues = Values<typeof params>;

const versionSchema = s.object({ ref: s.string(), commit: oid.nullable(), tree: oid });

const lines = placeSchema.omit('path', 'blob', 'refs').fields;

const symbolChangeSchema = s.object({
  change: s.enum(['added', 'removed', 'changed', 'moved']),
  symbol: s.string().describe('Qualified name.'),
  kind: s.string(),
  exported: s.boolean(),
  ...lines,
  parts: s
    .array(s.enum(['signature', 'body', 'doc', 'layout']))
    .optional()
    .describe('What changed, members apart; layout is white space alone.'),
  members: count.optional().describe('Symbols inside that came or went with it.'),
  from: s
    .object({ path: s.string(), symbol: s.string(), ...lines })
    .optional()
    .describe('Where it was before it moved.'),
});

const fileChangeSchema = s.object({
  path: s.string(),
  oldPath: s.string().optional(),
  status: s.enum(['added', 'removed', 'changed', 'renamed']),
  symbols: s.array(symbolChangeSchema),
  unchanged: count.describe('Symbols that are the same on both sides; in a renamed file, they moved with it.'),
  outside: s.boolean().describe('Text outside of all symbols changed.'),
  compared: s.boolean().describe('False where symbols are not known, so that the file is compared as a whole.'),
});

export const diffResponseSchema = s.object({
  schemaVersion: s.literal(1),
  from: versionSchema,
  to: versionSchema,
  symmetric: s.boolean().describe('With A...B, `from` is the merge base of A and B.'),
  counts: s.object({
    files: s.object({ added: count, removed: count, changed: count, renamed: count }),
    symbols: s.object({ added: count, removed: count, changed: count, moved: count }),
  }),
  files: s.array(fileChangeSchema),
  leftOut: s
    .object({
      files: count.describe('Further files, beyond the limit.'),
      symbols: count.describe('Further symbols, beyond the limit.'),
      skipped: count.describe('Files that are not indexed: binary, secret, excluded, links, submodules.'),
      unreadable: count.describe('Blobs that could not be read.'),
    })
    .describe('Number of entries that are not listed.'),
});

export type DiffResponse = s.Infer<typeof diffResponseSchema>;

export const question = defineQuestion<typeof params, DiffResponse>({
  name: 'diff',
  summary: 'list the symbols added, removed, moved and changed between two refs; exits with 1 if there are none',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerDiff,
  text: async () => (await import('./answer.js')).diffText,
  documents: { diff: { schema: diffResponseSchema } },
  command: {
    group: 'See changes',
    examples: [
      ['diff main..feature', 'between two branches'],
      ['diff v1.2', 'since a tag'],
      ['diff main...feature --path "src/**"', 'on a branch since it left main, in one folder'],
    ],
    json: 'print the differences as JSON',
    isNegative: ({ files }) => files.length === 0,
  },
  tool: {
    name: 'codebase_diff',
    title: 'Symbols that differ',
    toolset: 'history',
    description: 'Symbols added, removed, moved and changed between two commits.',
    params: {
      from: {
        summary: 'Branch, tag or commit; A..B; or A...B, since they parted.',
        minLength: 1,
        required: true,
      },
      to: 'Default: HEAD.',
      path: ONE_GLOB,
      limit: { summary: 'Symbols; default: as many as fit.', max: 5_000 },
    },
    maxTokens: 4_000,
  },
});
