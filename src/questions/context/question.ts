/** `context list`, `show`, `search`, `index`, `remove`; `codebase_context…`: named files and folders next to the code. */
import { commandText, integer, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { some } from '../graph/output.js';
import { type AnyQuestion, defineQuestion } from '../question.js';
import { searchResponseSchema } from '../search/question.js';
import { count, counts, oid } from '../shared-output.js';
import { fileFilters, MAX_RESULTS, minScore, noContent, path, REF, resultLimit, snapshot } from '../shared-params.js';

const artifact = list({ summary: 'only this artifact; repeatable', cli: { value: 'name' } });
const { ref } = snapshot;
/** Filters for any file; `uses` and `tag` are for code. */
const { author, since, until, is } = fileFilters;

const listParams = { artifact, ref } as const;
const showParams = {
  name: text({ summary: 'the name of an artifact', required: true, cli: { argument: '<name>' } }),
  ref,
} as const;
export const searchParams = {
  query: text({
    summary: 'what to look for; several words need no quotes',
    maxLength: 100_000,
    cli: { argument: '<query...>' },
  }),
  artifact,
  ...snapshot,
  limit: resultLimit,
  path,
  minScore,
  author,
  since,
  until,
  is,
  noContent,
  lines: integer({
    summary: 'lines shown of each result, 0 for all',
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    default: 8,
    cli: { value: 'n' },
  }),
} as const;
const indexParams = { artifact, ref } as const;
const removeParams = { artifact } as const;

export type ListValues = Values<typeof listParams>;
export type ShowValues = Values<typeof showParams>;
export type SearchValues = Values<typeof searchParams>;
export type IndexValues = Values<typeof indexParams>;
export type RemoveValues = Values<typeof removeParams>;

const state = s
  .enum(['ready', 'partial', 'stale', 'missing', 'not-allowed'])
  .describe(
    'Whether all of it can be searched, some files are still to be indexed, it has changed since, nothing is there, or the user has not allowed to read it.',
  );

const note = s.string().describe('What is to be done about it.');

const artifactSchema = s.object({
  name: s.string(),
  path: s.string().describe('As the repository names it; untrusted.'),
  description: s.string().describe('As the repository describes it; untrusted.'),
  outside: s.boolean().describe('Outside of the repository: in no snapshot, read from disk as it is now.'),
  state,
  oid: oid
    .nullable()
    .describe('Its blob or tree in the snapshot; of an outside one its blob, or a digest of its files.'),
  indexedOid: oid.nullable().optional().describe('Of an outside one: `oid` when it was indexed.'),
  files: count.describe('Files that can be searched once they are indexed.'),
  indexed: count.describe('Of those, the files that are.'),
  uncommitted: count.describe('Files that are not committed as they are; they are searched as they are now.'),
  bytes: count,
  chunks: count.describe('Of what is indexed.'),
  skipped: counts.describe('Files that are not searched, by reason.'),
  note: note.nullable(),
});

const artifactList = {
  schemaVersion: s.literal(1),
  ref: s.string().describe('The ref as asked for.'),
  commit: oid.nullable().describe('The commit that inside artifacts are about; null where a tree was named.'),
};

export const contextListSchema = s.object({
  ...artifactList,
  artifacts: some(artifactSchema),
  files: some(
    s.object({
      path: s.string(),
      bytes: count.nullable(),
      reason: s.string().nullable().describe('Why its text is not here.'),
      content: s.string().optional().describe('Untrusted content.'),
      contentLeftOut: count.optional().describe('Bytes of it beyond the limit.'),
    }),
  )
    .optional()
    .describe('Where the text of one artifact was asked for.'),
});

export const contextSearchResponseSchema = searchResponseSchema.extend({
  artifacts: count.describe('Artifacts that were searched.'),
  unavailable: s.array(s.object({ name: s.string(), state, note })).describe('Some that were not.'),
  unavailableTotal: count,
});

export const contextIndexReportSchema = s.object({
  ...artifactList,
  indexing: s.literal(true).optional().describe('The snapshot is still being indexed: ask again.'),
  new: count.describe('Blobs of the snapshot that were parsed in this run; inside artifacts are part of it.'),
  outside: s
    .object({ artifacts: count, files: count, new: count.describe('Files read and parsed in this run.') })
    .describe('Artifacts outside of the repository, brought up to date.'),
  artifacts: some(artifactSchema),
});

export const contextRemoveReportSchema = s.object({
  schemaVersion: s.literal(1),
  removed: count.describe('Indexes of outside artifacts that were deleted.'),
  bytes: count,
  kept: s.array(s.string()).describe('Inside artifacts: they belong to the index of the repository.'),
  note: note.nullable(),
});

export type ContextArtifact = s.Infer<typeof artifactSchema>;
export type ContextList = s.Infer<typeof contextListSchema>;
export type ContextFiles = NonNullable<ContextList['files']>;
export type ContextSearchResponse = s.Infer<typeof contextSearchResponseSchema>;
export type ContextIndexReport = s.Infer<typeof contextIndexReportSchema>;
export type ContextRemoveReport = s.Infer<typeof contextRemoveReportSchema>;

const GROUP = 'Find code';
/** Default number of results on an agent's page. */
const PAGE_SIZE = 10;
/** One name for tools; people may repeat the option. */
const ONE_ARTIFACT = { name: 'artifactName', one: true, minLength: 1 } as const;
const listDocument = {
  'context-list': {
    schema: contextListSchema,
    title: commandText('context list|show', { json: true }),
  },
};

const listArtifacts = defineQuestion<typeof listParams, ContextList>({
  name: 'context list',
  summary: 'list the artifacts and how much of each can be searched',
  effect: 'reads',
  params: listParams,
  answer: async () => (await import('./answer.js')).answerList,
  text: async () => (await import('./answer.js')).contextListText,
  multiline: ['content'],
  documents: listDocument,
  command: {
    group: GROUP,
    examples: [
      ['context list', 'every artifact with its state'],
      ['context list --ref v1.2', 'as of a tag'],
    ],
    readOnly: true,
    isNegative: ({ artifacts }) => artifacts.list.length === 0,
  },
  tool: {
    name: 'codebase_context',
    title: 'List context artifacts',
    toolset: 'context',
    description: 'Lists named specifications, schemas and documents beside the code, and how much of each is indexed.',
    params: {
      artifact: { ...ONE_ARTIFACT, summary: 'Only this one, with the text of its files.' },
      ref: REF,
    },
    maxTokens: 2_000,
  },
});

const search = defineQuestion<typeof searchParams, ContextSearchResponse>({
  name: 'context search',
  summary: 'search only artifacts',
  effect: 'reads',
  params: searchParams,
  answer: async () => (await import('./answer.js')).answerSearch,
  text: async () => (await import('./answer.js')).contextSearchText,
  multiline: ['content'],
  documents: { 'context-search': { schema: contextSearchResponseSchema } },
  command: {
    group: GROUP,
    examples: [
      ['context search how are refunds approved', 'in all artifacts'],
      ['context search refunds --artifact decisions', 'in one of them'],
      ['context search "refunds since:3m"', 'in files that changed in the last three months'],
    ],
    readOnly: true,
    isNegative: ({ results }) => results.length === 0,
  },
  tool: {
    name: 'codebase_context_search',
    title: 'Search context artifacts',
    toolset: 'context',
    description: 'Searches context artifacts alone; indexes what has changed first.',
    params: {
      query: { summary: 'Name, words or question.', minLength: 1, maxLength: 10_000, required: true },
      artifact: { ...ONE_ARTIFACT, summary: 'Default: all.' },
      limit: { summary: `Results; default ${PAGE_SIZE}.`, max: 50 },
      minScore: 'Leave out results below this share of the best score.',
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: PAGE_SIZE, most: MAX_RESULTS, isOpenEnded: true },
  },
});

const show = defineQuestion<typeof showParams, ContextList>({
  name: 'context show',
  summary: 'print one artifact: its state, and the text of its files',
  effect: 'reads',
  params: showParams,
  answer: async () => (await import('./answer.js')).answerShow,
  text: async () => (await import('./answer.js')).contextListText,
  multiline: ['content'],
  documents: listDocument,
  command: {
    group: GROUP,
    examples: [
      ['context show decisions', 'the files of an artifact, as checked out'],
      ['context show decisions --ref v1.2', 'as of a tag'],
    ],
  },
});

const index = defineQuestion<typeof indexParams, ContextIndexReport>({
  name: 'context index',
  summary: 'index artifacts now; otherwise the next search does it',
  effect: 'writes',
  params: indexParams,
  answer: async () => (await import('./answer.js')).answerIndex,
  text: async () => (await import('./answer.js')).contextIndexText,
  documents: { 'context-index': { schema: contextIndexReportSchema } },
  command: {
    group: GROUP,
    examples: [
      ['context index', 'all artifacts'],
      ['context index --artifact decisions', 'one of them'],
    ],
  },
  tool: {
    name: 'codebase_context_index',
    title: 'Index context artifacts',
    toolset: 'context',
    description: 'Brings context artifacts up to date. Searches do it by themselves.',
    params: { ref: REF },
    reply: ['projectPath'],
    maxTokens: 2_000,
  },
});

const remove = defineQuestion<typeof removeParams, ContextRemoveReport>({
  name: 'context remove',
  summary: 'delete the local index of artifacts outside of the repository',
  effect: 'deletes',
  params: removeParams,
  answer: async () => (await import('./answer.js')).answerRemove,
  text: async () => (await import('./answer.js')).contextRemoveText,
  documents: { 'context-remove': { schema: contextRemoveReportSchema } },
  command: {
    group: GROUP,
    examples: [
      ['context remove', 'of all artifacts outside'],
      ['context remove --artifact decisions', 'of one of them'],
    ],
  },
  tool: {
    name: 'codebase_context_remove',
    title: 'Delete indexes of context artifacts',
    toolset: 'context',
    description:
      'Deletes what is kept of context artifacts outside of the repository; those inside belong to its index.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 1_000,
  },
});

export const questions: readonly AnyQuestion[] = [listArtifacts, search, show, index, remove];
