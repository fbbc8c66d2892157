/** `index` for people; `codebase_index`, `codebase_update` and `codebase_stop` for agents, whose server indexes in the background. */
import { type ErrorCode, SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import { commandText, flag, integer, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { formatCounts } from '../format.js';
import { defineQuestion, type ToolForm } from '../question.js';
import { count, counts, faultSchema, oid } from '../shared-output.js';
import { committedRef, REF } from '../shared-params.js';

const vectorReportSchema = s.object({
  embedder: s.enum(['builtin', 'ollama', 'openai']),
  model: s.string(),
  dimensions: count.nullable().describe("Numbers per vector; null until a model's first answer has told."),
  profile: s.string().describe('Names everything that changes the vectors.'),
  covered: count.describe('Chunks of the snapshot that have a vector: `embedded`, `reused` and `loaded`.'),
  total: count,
  embedded: count.describe('Made in this run.'),
  reused: count.describe('Were there: the same chunk, or one with the same text.'),
  loaded: count.describe('Taken from records in notes.'),
  fault: faultSchema.nullable().describe('Why vectors are missing; then the exit code is 2.'),
});

export const indexReportSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
  commit: oid.nullable(),
  tree: oid,
  files: count.describe('Files of the snapshot that can be searched.'),
  blobs: count.describe('Distinct blobs among the files selected.'),
  new: count.describe('Blobs parsed in this run.'),
  reused: count.describe('Blobs whose record or shard entry stood already.'),
  skipped: counts.describe('Files that are not searched, by reason.'),
  degraded: counts.describe('Files chunked by lines although their language has a grammar, by reason.'),
  parseErrors: count
    .optional()
    .describe('Files with parts that their grammar could not read and where declarations may stand; absent for none.'),
  chunks: count,
  bytesAdded: count.describe('Bytes of new records and shards, before git compresses them.'),
  vectors: vectorReportSchema.describe('Vectors of the snapshot, counted in chunks.'),
  ms: s.record(s.number()).describe('Milliseconds by phase; phases overlap.'),
  history: s
    .object({
      commits: count.describe('Commits of the window that change a file.'),
      oldest: oid.nullable(),
      blobs: count.describe('Distinct versions of files that are indexed, before and after each change.'),
      new: count.describe('Versions recorded in this run.'),
      reused: count.describe('Versions that had a record.'),
      failed: count.describe('Versions that cannot be read or parsed, or are too large.'),
      bytesAdded: count.describe('Bytes of new records, before git compresses them.'),
    })
    .optional()
    .describe('Records of past commits; only where they were asked for.'),
});

export const dryRunSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
  commit: oid.nullable(),
  files: count,
  blobs: count,
  wouldParse: count,
  sourceBytes: count,
  wouldLoad: count.describe('Blobs that have a record and would only be loaded into a local shard.'),
  skipped: counts,
  estimatedBytes: count,
  estimatedSeconds: count,
  vectors: s
    .object({
      embedder: s.enum(['builtin', 'ollama', 'openai']),
      model: s.string(),
      profile: s.string(),
      endpoint: s.string().nullable().describe('Address of the embedder as configured; null for its usual one.'),
      wouldEmbed: count.describe('Chunks that no file and no record has a vector for.'),
      isEstimate: s.boolean().describe('Are there blobs whose chunks are not known yet?'),
    })
    .describe('What would be embedded.'),
});

export type IndexReport = Omit<s.Infer<typeof indexReportSchema>, 'schemaVersion'>;
export type DryRun = Omit<s.Infer<typeof dryRunSchema>, 'schemaVersion'>;

export const extension = s.object({
  extension: s.string(),
  files: count.describe('Files with it that are indexed.'),
  languages: s.array(s.string()).describe('As what; empty: as plain text.'),
});

export const indexingSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
  commit: oid.nullable(),
  state: s.enum(['done', 'running', 'failed']),
  progress: s
    .object({ phase: s.string(), done: count, total: count.nullable().describe('null as long as not known.') })
    .nullable()
    .describe('Of a run that goes on.'),
  report: indexReportSchema.omit('schemaVersion').nullable().describe('Of a run that is done.'),
  error: faultSchema.nullable().describe('Of a run that failed.'),
  extensions: s.array(extension).optional().describe('What extraExtensions come to here.'),
});

const stopReportSchema = s.object({
  schemaVersion: s.literal(1),
  stopped: s.boolean().describe('Something was being indexed, or waited for it.'),
  writer: s.integer().nullable().describe('Another process that is writing the index; it is left alone.'),
});

export type Indexing = s.Infer<typeof indexingSchema>;
export type StopReport = s.Infer<typeof stopReportSchema>;

/**
 * `3 unreadable, 2 parse-timeout`: selected files that the index lacks, for `index --require-complete`; '' for a complete one. With
 * `strict`, files count that may lack declarations.
 */
export function gaps(document: DryRun | IndexReport, strict = false): string {
  if ('wouldParse' in document) {
    const { wouldParse, wouldLoad, vectors } = document;
    return formatCounts({ 'to parse': wouldParse, 'to load': wouldLoad, 'chunks to embed': vectors.wouldEmbed });
  }
  const { skipped, degraded, parseErrors = 0, vectors } = document;
  const without = vectors.fault === null ? 0 : vectors.total - vectors.covered;
  const lost = strict ? parseErrors : 0;
  const missing = { unreadable: skipped.unreadable ?? 0, ...degraded, 'parse-errors': lost };
  return formatCounts({ ...missing, 'chunks without a vector': without });
}

function vectorFailure({ vectors }: IndexReport | DryRun): SocraticodeError | null {
  if (!('fault' in vectors) || vectors.fault === null) return null;
  const { fault, covered, total } = vectors;
  const coverage = `words are indexed, ${groupDigits(covered)} of ${groupDigits(total)} chunks have vectors`;
  return new SocraticodeError(fault.code as ErrorCode, `${fault.message}; ${coverage}`, { hint: fault.hint });
}

const params = {
  ref: committedRef,
  dryRun: flag({ summary: 'say what would be done and what it would cost; write nothing' }),
  force: flag({ summary: 'make the local index anew: from records, and by parsing what has none or failed before' }),
  pull: flag({ summary: 'download a missing model to Ollama first' }),
  history: text({
    summary: 'also record the versions of files in the newest N commits, or in those since a date: 500, 2w, 2024-05-31',
    minLength: 1,
    maxLength: 64,
    cli: { value: 'N|date' },
  }),
  jobs: integer({ summary: 'parser processes at a time', min: 1, max: 64, defaultText: 'the setting jobs' }),
  requireComplete: flag({
    summary: 'exit with 1 unless every file that the rules select is indexed, parsed, and has its vectors',
  }),
  strict: flag({
    summary: 'where every file is required: exit with 1 as well if parse errors may hide declarations in one',
  }),
} as const;

export type IndexValues = Values<typeof params>;

const index = defineQuestion<typeof params, IndexReport | DryRun>({
  name: 'index',
  summary: 'index the files of a ref that are not indexed yet',
  effect: 'writes',
  openWorld: true,
  params,
  answer: async () => (await import('./answer.js')).answerIndex,
  text: async () => (await import('./answer.js')).indexText,
  documents: {
    index: { schema: indexReportSchema },
    'dry-run': { schema: dryRunSchema, title: commandText('index', { dryRun: true, json: true }) },
  },
  command: {
    group: 'Index',
    json: 'print the report as JSON',
    examples: [
      ['index', 'index what HEAD holds'],
      ['index --dry-run', 'what that would cost'],
      ['index --ref v1.2', 'index a release'],
      ['index --force', 'make the local index anew'],
      ['index --history 1y', 'so that questions about the last year parse nothing'],
      ['index --require-complete', 'fail a CI job if anything is missing'],
    ],
    withoutSession: true,
    isNegative: (document, { requireComplete, strict }) => requireComplete === true && gaps(document, strict) !== '',
    failure: vectorFailure,
  },
});

export const extraExtensions = text({ summary: 'file extensions to look for, with commas between', cli: false });
const serverParams = { ref: committedRef, extraExtensions } as const;

export type ServerIndexValues = Values<typeof serverParams>;
type IndexTool = Pick<ToolForm<typeof serverParams>, 'name' | 'title' | 'description'>;

/** The tool that waits a moment, or the one that waits long. */
function indexTool(wait: 'moment' | 'long', tool: IndexTool) {
  return defineQuestion({
    name: 'index',
    summary: 'index in the background',
    effect: 'writes',
    params: serverParams,
    answer: async () => (await import('./answer.js')).answerServerIndex[wait],
    text: async () => (await import('./answer.js')).indexingText,
    documents: {
      indexing: {
        schema: indexingSchema,
        title: 'MCP: codebase_index and codebase_update',
      },
    },
    tool: {
      ...tool,
      toolset: 'admin',
      params: { ref: REF, extraExtensions: 'E.g. .tpl,.inc' },
      reply: ['projectPath'],
      maxTokens: 1_000,
    },
  });
}

const stop = defineQuestion({
  name: 'index',
  summary: 'stop indexing in the background',
  effect: 'writes',
  params: {},
  answer: async () => (await import('./answer.js')).answerStop,
  text: async () => (await import('./answer.js')).stopText,
  documents: { stop: { schema: stopReportSchema } },
  tool: {
    name: 'codebase_stop',
    title: 'Stop indexing',
    toolset: 'admin',
    description: 'Stops what this server indexes; finished work is kept.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 500,
  },
});

export const questions = [
  index,
  indexTool('moment', {
    name: 'codebase_index',
    title: 'Begin indexing',
    description:
      'Begins to index in the background; again: says how far it is. Questions index by themselves what they lack.',
  }),
  indexTool('long', {
    name: 'codebase_update',
    title: 'Bring the index up to date',
    description: 'Indexes what is new, waits up to 50 s for it, and reports.',
  }),
  stop,
];
