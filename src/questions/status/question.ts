/** `status` and `codebase_status`: how much of a ref is indexed, and which files are not. The tool also describes the server's work. */
import { SocraticodeError } from '../../base/errors.js';
import { commandText, flag, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import type { Asker } from '../asker.js';
import { explainSchema, leftOutRule } from '../explain/question.js';
import { REASONS, type ReasonName } from '../explain/reasons.js';
import { defineQuestion } from '../question.js';
import { answer, count, counts, faultSchema, oid } from '../shared-output.js';
import { committedRef, graphLimit, REF } from '../shared-params.js';

export const statusSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
  commit: oid.nullable(),
  profile: s.string(),
  coverage: s.object({ covered: count, total: count }),
  records: s.object({ present: count, missing: count }).describe('Blobs of the snapshot with and without a record.'),
  chunks: count,
  skipped: counts,
  degraded: counts,
  parseErrors: s
    .object({ files: count, first: s.array(s.string()).describe('Paths of the first of them.') })
    .optional()
    .describe('Files with parts that their grammar could not read and where declarations may stand; absent for none.'),
  languages: counts.describe('Files by language.'),
  grammars: s.object({ available: s.array(s.string()), missing: s.array(s.string()) }),
  notes: s.object({ ref: s.string(), commit: oid.nullable(), records: count, packedBytes: count }),
  compiler: s
    .object({ present: count, ref: s.string(), commit: oid.nullable(), records: count, packedBytes: count })
    .nullable()
    .describe('Blobs of the snapshot that a compiler told about, and where that is kept; null where none has.'),
  knowledge: s
    .array(
      s.object({
        kind: s.string(),
        shared: count.describe('Entries that pushes send.'),
        own: count.describe('Entries that stay in this clone.'),
        sets: count.describe('Refs that hold them: each task has one of its own.'),
      }),
    )
    .optional()
    .describe('What people and agents have written, by kind; absent where there is nothing.'),
  shards: s.object({ directory: s.string(), count, bytes: count, documents: count }),
  vectors: s.object({
    embedder: s.enum(['builtin', 'ollama', 'openai']),
    model: s.string(),
    dimensions: count.nullable().describe("Numbers per vector; null until a model's first answer has told."),
    profile: s.string(),
    covered: count.describe('Chunks of the snapshot that have a vector.'),
    total: count,
    bytes: count.describe('Of the vector files of this profile, graphs included.'),
    notes: s
      .object({ ref: s.string(), commit: oid.nullable(), records: count, packedBytes: count })
      .nullable()
      .describe('Where vectors are kept for others; null if this configuration shares none.'),
    endpoint: s.string().nullable().describe('Address of the embedder as configured; null for its usual one.'),
    engine: s
      .enum(['usearch', 'javascript'])
      .describe('Whether usearch can be loaded, which makes graphs of very many vectors.'),
    engineReason: s.string().nullable().describe('Why usearch cannot be loaded.'),
    indexReason: s.string().nullable().describe('Why the setting vectors.index=hnsw has no effect here.'),
    fault: faultSchema.nullable().describe('With vectors missing: why the embedder cannot make them.'),
  }),
  dirty: count,
  branch: s.string().nullable(),
  remotes: s.array(s.string()),
  hook: s.object({ installed: s.boolean(), path: s.string() }),
  writer: s.integer().nullable().describe('Process that is indexing now.'),
  notice: s.string().nullable().describe('Records here that this installation cannot use, if it has none that it can.'),
  next: s.array(s.string()).describe('What to type next.'),
});

export type StatusReport = s.Infer<typeof statusSchema>;

const NAMES = Object.keys(REASONS) as [ReasonName, ...ReasonName[]];

const leftOutSchema = s.object({
  schemaVersion: s.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  below: s.string().describe("The folder asked for; '' for all."),
  total: count.describe('Files below it, uncommitted ones included.'),
  leftOut: count.describe('How many of them are not indexed.'),
  groups: s
    .array(
      s.object({
        reason: s.enum(NAMES),
        rule: leftOutRule.nullable(),
        count,
        paths: s.array(s.string()).describe('The first of them.'),
        next: s.string().nullable().describe('What to type or do about the first one.'),
      }),
    )
    .describe('Most files first.'),
});

export type LeftOutResponse = s.Infer<typeof leftOutSchema>;

const porcelainSchema = s.object({
  schemaVersion: s.literal(1),
  ref: answer.ref,
  commit: answer.commit,
  branch: s.string().nullable().describe('The branch that is checked out; null for a detached HEAD.'),
  coverage: s.object({ covered: count, total: count }).describe('Files of the snapshot that are indexed, and all.'),
  writer: s.integer().nullable().describe('Process that is indexing now.'),
});

export type PorcelainStatus = s.Infer<typeof porcelainSchema>;

const job = {
  kind: s.enum(['index', 'full', 'link']).describe('What lacks for a question; everything; the graph.'),
  ref: s.string(),
};

const serverStatusSchema = statusSchema.extend({
  background: s.object({
    running: s
      .object({
        ...job,
        phase: s.enum(['starting', 'waiting-for-lock', 'fetching', 'indexing', 'vectors', 'linking']),
        done: count,
        total: count.nullable().describe('null as long as it is not known.'),
      })
      .nullable(),
    queued: s.array(s.object(job)),
    last: s
      .object({
        ...job,
        ok: s.boolean(),
        error: faultSchema.nullable(),
        ms: count.describe('How long it took.'),
        endedAt: s.string().describe('ISO 8601.'),
      })
      .nullable(),
  }),
  watches: s.boolean().describe('Changes of the work tree are noticed by themselves, without asking git.'),
});

export type ServerStatus = s.Infer<typeof serverStatusSchema>;

/** Value of `--left-out` without a path: the top of the repository. */
const ALL = '.';

const LEFT_OUT_TITLE = commandText('status', { leftOut: true, json: true });
const PORCELAIN_TITLE = commandText('status', { porcelain: true, json: true });

const params = {
  ref: committedRef,
  leftOut: text({
    summary: 'list the files that are not indexed, all or below a folder, by the rule that leaves them out',
    completes: 'path',
    cli: { value: 'path', bare: ALL },
  }),
  porcelain: flag({ summary: 'print a few facts as lines that no later version changes, for prompts and scripts' }),
  limit: graphLimit('files listed of each rule', 10),
} as const;

type StatusValues = Values<typeof params>;

/** Loads only the module of the requested form: a prompt waits for the shortest one. Throws BAD_ARGUMENT for two forms at once. */
async function answerForm(at: Asker, { ref, leftOut, porcelain, limit }: StatusValues) {
  if (leftOut === undefined && porcelain) return (await import('./text.js')).answerPorcelain(at.session, ref);
  if (leftOut === undefined) return (await import('./answer.js')).readStatus(at.session, ref);
  if (!porcelain) return (await import('../explain/answer.js')).answerLeftOut(at, { ref, below: leftOut, limit });
  const hint = `Programs read the files as JSON: ${LEFT_OUT_TITLE}`;
  throw new SocraticodeError('BAD_ARGUMENT', 'the porcelain form lists no files', { hint });
}

const status = defineQuestion<typeof params, StatusReport | LeftOutResponse | PorcelainStatus>({
  name: 'status',
  summary: 'say what is indexed, which files are left out and why, and what to type next',
  effect: 'reads',
  params,
  answer: async () => answerForm,
  text: async () => (await import('./text.js')).statusText,
  documents: {
    status: { schema: statusSchema },
    'left-out': { schema: leftOutSchema, title: LEFT_OUT_TITLE },
    'status-porcelain': { schema: porcelainSchema, title: PORCELAIN_TITLE },
  },
  command: {
    readOnly: true,
    group: 'Index',
    examples: [
      ['status', 'how much of HEAD is indexed'],
      ['status --ref v1.2', 'how much of a release is indexed'],
      ['status --left-out src', 'which files below src are not indexed, and why'],
      ['status --porcelain', 'the same few lines in every version, for a shell prompt'],
    ],
  },
});

const serverParams = {
  ref: committedRef,
  path: list({ summary: 'files to explain: indexed or not, by which rule', maxEntries: 100, minLength: 1 }),
} as const;

export type ServerStatusValues = Values<typeof serverParams>;

const serverStatus = defineQuestion({
  name: 'status',
  summary: 'how much is indexed, which files are left out and why, what the server does now',
  effect: 'reads',
  params: serverParams,
  answer: async () => (await import('./answer.js')).answerServerStatus,
  text: async () => (await import('./answer.js')).serverStatusText,
  documents: { 'server-status': { schema: serverStatusSchema }, explain: { schema: explainSchema } },
  tool: {
    name: 'codebase_status',
    title: 'Index status',
    toolset: 'core',
    description: 'How much is indexed, what runs now; with path: whether files are, and by which rule not.',
    params: { ref: REF, path: '' },
    reply: ['projectPath'],
    maxTokens: 2_000,
  },
});

export const questions = [status, serverStatus];
