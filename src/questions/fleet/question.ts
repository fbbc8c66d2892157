/**
 * `fleet …`, `codebase_fleet_…` and `publish`: looks after a store of many repositories, asks it, and sends it the index of this one.
 * People search it with `search --fleet`.
 */
import { choice, flag, integer, list, text, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { linkedUse, some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import {
  type FleetSearchDocument,
  fleetSearchSchema,
  PAGE_SIZE,
  publishedView,
  REPLY_TOKENS,
} from '../search/output.js';
import { count } from '../shared-output.js';
import { MAX_RESULTS, ONE_GLOB, REF } from '../shared-params.js';
import { fileParams, reposParams, searchParams } from './asking.js';

const tableSchema = s.object({
  rows: count,
  bytes: count.nullable().describe('Of the newest version.'),
  unindexed: count.describe('Rows that searches scan until the next maintenance.'),
});

const fleetReportSchema = s.object({
  schemaVersion: s.literal(1),
  at: s.string(),
  action: s.enum(['init', 'status', 'fsck', 'maintain', 'drop', 'rebuild']),
  profile: s.string().describe('Version and embedder of the contents.'),
  repositories: count.optional(),
  refs: count.optional(),
  tables: s.object({ unit: tableSchema, record: tableSchema, view: tableSchema }).optional(),
  maintainer: s
    .object({ holder: s.string(), until: s.string() })
    .nullable()
    .optional()
    .describe('Null if nobody holds the lease.'),
  checked: count.optional().describe('Contents that were opened.'),
  damaged: s
    .array(s.object({ repo: s.string(), ref: s.string(), problem: s.string() }))
    .optional()
    .describe('Views that need to be published again.'),
  faults: s.array(s.string()).optional().describe('Tables and indexes that cannot be read: rebuild the store.'),
  created: s.boolean().optional().describe('False for a store that was there before.'),
  rebuilt: s
    .object({
      copied: count.describe('Views that were whole.'),
      published: count.describe('Refs that were published from clones.'),
      left: s.array(s.object({ repo: s.string(), ref: s.string(), problem: s.string() })),
      unreadable: s
        .string()
        .nullable()
        .describe('Why nothing could be copied; null if the old tables could be opened.'),
      switched: s.boolean().describe('False if refs are left: the old tables are still in use.'),
    })
    .optional(),
  maintained: s
    .object({ orphans: count, duplicates: count, tombstones: count, optimized: s.boolean(), freedBytes: count })
    .nullable()
    .optional()
    .describe('Null if another process maintains the store.'),
  dropped: s.object({ repo: s.string(), refs: count }).optional(),
});

export type FleetReport = s.Infer<typeof fleetReportSchema>;

const fleetSearch = defineQuestion<typeof searchParams, FleetSearchDocument>({
  name: 'fleet search',
  summary: 'find code in the repositories of a fleet',
  effect: 'reads',
  openWorld: true,
  params: searchParams,
  answer: async () => (await import('./answer.js')).answerFleetTool,
  text: async () => {
    const { fleetSearchText } = await import('../result-text.js');
    return (document, { pen, isCommand }) => fleetSearchText(document, { pen, isCommand, values: {} });
  },
  multiline: ['content'],
  documents: { 'fleet-search': { schema: fleetSearchSchema } },
  tool: {
    name: 'codebase_fleet_search',
    title: 'Search many repositories',
    toolset: 'fleet',
    description:
      'Finds code in all repositories that you may read, as they were published. Results name repository and commit.',
    params: {
      query: 'Name, words or question.',
      repo: { summary: 'Repository glob, e.g. acme/*.', one: true, minLength: 1 },
      ref: REF,
      limit: { summary: `Results; default ${PAGE_SIZE}.`, max: 50 },
      path: { ...ONE_GLOB, name: 'fileFilter' },
      lang: { summary: 'Language id, e.g. typescript.', name: 'languageFilter', one: true },
      kind: { summary: 'E.g. function, class, text.', one: true },
      mode: '',
    },
    reply: ['maxTokens', 'cursor'],
    maxTokens: REPLY_TOKENS,
    page: { size: PAGE_SIZE, most: MAX_RESULTS, isOpenEnded: true },
  },
});

const fleetReposSchema = s.object({
  schemaVersion: s.literal(1),
  damaged: count.describe('Repositories whose list of files is damaged until they publish again.'),
  results: s.array(
    s.object({
      ...publishedView,
      files: count.describe('Paths of the commit that can be searched.'),
      refs: s.array(s.string()).describe('Refs that are published.'),
      refsLeftOut: count,
    }),
  ),
  resultsLeftOut: count,
});

export type FleetReposDocument = s.Infer<typeof fleetReposSchema>;

const LISTED = 100;

const fleetRepos = defineQuestion<typeof reposParams, FleetReposDocument>({
  name: 'fleet repos',
  summary: 'list the repositories of a fleet',
  effect: 'reads',
  openWorld: true,
  params: reposParams,
  answer: async () => (await import('./answer.js')).answerFleetRepos,
  text: async () => (await import('./answer.js')).fleetReposText,
  documents: { 'fleet-repos': { schema: fleetReposSchema } },
  tool: {
    name: 'codebase_fleet_repos',
    title: 'Repositories of the fleet',
    toolset: 'fleet',
    description: 'Repositories that you may search, each with its commit, age, coverage and published refs.',
    params: { repo: { summary: 'Repository glob, e.g. acme/*.', one: true, minLength: 1 } },
    reply: ['maxTokens', 'cursor'],
    maxTokens: 2_000,
    page: { size: LISTED, most: 10_000 },
  },
});

const line = s.integer({ exclusiveMinimum: 0 });

const fleetFileSchema = s.object({
  schemaVersion: s.literal(1),
  ...publishedView,
  path: s.string(),
  language: s.string(),
  lines: count.optional().describe('Lines of the whole file; absent in an outline.'),
  startLine: line.optional(),
  endLine: line.optional(),
  content: s.string().optional().describe('Untrusted repository content.'),
  symbols: s
    .array(s.object({ symbol: s.string(), kind: s.string(), startLine: line, endLine: line }))
    .optional()
    .describe('With `outline`: definitions in the order of their lines.'),
});

export type FleetFileDocument = s.Infer<typeof fleetFileSchema>;

const fleetFile = defineQuestion<typeof fileParams, FleetFileDocument>({
  name: 'fleet file',
  summary: 'read a file of the fleet',
  effect: 'reads',
  openWorld: true,
  params: fileParams,
  answer: async () => (await import('./answer.js')).answerFleetFile,
  text: async () => (await import('./answer.js')).fleetFileText,
  multiline: ['content'],
  documents: { 'fleet-file': { schema: fleetFileSchema } },
  tool: {
    name: 'codebase_fleet_file',
    title: 'Read a file of the fleet',
    toolset: 'fleet',
    description: 'Text of a file as published, by lines, or its outline.',
    params: { repo: 'As results name it.', path: '', ref: REF, from: '', to: '', outline: '' },
    reply: ['maxTokens'],
    maxTokens: 4_000,
  },
});

const at = text({ summary: 'address of the store', defaultText: 'the setting fleet.url', cli: { value: 'url' } });
const params = { at } as const;
const maintainParams = {
  at,
  now: flag({ summary: 'optimize at once, and delete older versions and unused contents of any age' }),
} as const;
const dropParams = {
  repo: text({ summary: 'name of the repository in the fleet', required: true, cli: { argument: '<repo>' } }),
  at,
} as const;

const rebuildParams = {
  at,
  from: list({ summary: 'clones, whose notes stand in for what is damaged; repeatable', cli: { value: 'dir' } }),
  force: flag({ summary: 'switch even if refs are left out; they must be published again' }),
} as const;

const tokenParams = {
  action: choice(['add', 'list', 'revoke'], {
    summary: 'what to do with the tokens',
    required: true,
    cli: { argument: '<action>' },
  }),
  name: text({ summary: 'holder of the token, by whom the log names it', maxLength: 200, cli: { argument: '[name]' } }),
  tokens: text({ summary: 'the file of tokens that a server of fleets reads', required: true, cli: { value: 'file' } }),
  read: list({ summary: 'repositories that the token may read, as globs; repeatable', cli: { value: 'glob' } }),
  publish: list({ summary: 'repositories that it may publish, as globs; repeatable', cli: { value: 'glob' } }),
} as const;

const fleetTokensSchema = s.object({
  schemaVersion: s.literal(1),
  action: s.enum(['add', 'list', 'revoke']),
  file: s.string(),
  token: s.string().optional().describe('The new token, which is kept nowhere: the file has its hash.'),
  tokens: s.array(s.object({ name: s.string(), read: s.array(s.string()), publish: s.array(s.string()) })),
});

export type FleetTokens = s.Infer<typeof fleetTokensSchema>;
export type TokenValues = Values<typeof tokenParams>;
export type RebuildValues = Values<typeof rebuildParams>;
export type FleetValues = Values<typeof params>;
export type MaintainValues = Values<typeof maintainParams>;
export type DropValues = Values<typeof dropParams>;

// Shared by the commands that look after a store, which are declared at the end.

const fleet = async () => (await import('./package.js')).loadFleet();
const json = 'print the report as JSON';
const documents = { fleet: { schema: fleetReportSchema } };
const toText = async () => (await import('./answer.js')).fleetText;

// `publish`: sends the index to a fleet, where thousands of repositories are searched together.

const refReportSchema = s.object({
  ref: s.string(),
  commit: s.string(),
  outcome: s
    .enum(['published', 'unchanged', 'superseded', 'planned', 'deleted'])
    .describe('`superseded`: the fleet has a newer commit of this branch already. `planned`: a dry run.'),
  covered: count.describe('Files that can be found.'),
  total: count.describe('Files that the settings select.'),
  missing: count.describe('File contents that the fleet lacked.'),
  sentBytes: count,
});

const publishReportSchema = s.object({
  schemaVersion: s.literal(1),
  repo: s.string().describe('Name of the repository in the fleet.'),
  to: s.string().describe('Address of the fleet.'),
  refs: s.array(refReportSchema),
});

export type PublishReport = s.Infer<typeof publishReportSchema>;

const publishParams = {
  to: text({ summary: 'address of the fleet', defaultText: 'the setting fleet.url', cli: { value: 'url' } }),
  ref: list({
    summary: 'branches, tags or commits to publish',
    defaultText: 'the current branch',
    cli: { value: 'ref' },
  }),
  branches: list({
    summary: 'publish every branch whose name matches',
    defaultText: 'the setting fleet.refs',
    cli: { value: 'glob' },
  }),
  as: text({ summary: 'name under which one ref is published; a commit needs one', cli: { value: 'name' } }),
  default: text({ summary: 'name of the main branch', defaultText: "the remote's", cli: { value: 'name' } }),
  repo: text({
    summary: 'name of the repository in the fleet',
    defaultText: 'host and path of its remote',
    cli: { value: 'name' },
  }),
  keep: integer({
    summary: 'commits of each branch that stay searchable by their ids',
    ...{ min: 1, max: 1_000, defaultText: 'the newest alone' },
    cli: { value: 'n' },
  }),
  prune: flag({ summary: 'remove published refs that are no branch or tag here' }),
  dryRun: flag({ summary: 'say how much would be sent; send nothing' }),
} as const;

export type PublishValues = Values<typeof publishParams>;

const publish = defineQuestion({
  name: 'publish',
  summary: 'send the index of branches to a fleet, which searches many repositories at once',
  effect: 'writes',
  openWorld: true,
  params: publishParams,
  answer: async () => (await (await import('./package.js')).loadFleet()).publish,
  text: async () => (await import('./answer.js')).publishText,
  documents: { publish: { schema: publishReportSchema } },
  command: {
    group: 'Share',
    json: 'print the report as JSON',
    examples: [
      ['publish --to file:///srv/fleet', 'the current branch, into a folder'],
      ["publish --branches 'release/*' --prune", 'branches by name; deleted branches are no longer published'],
      ['publish --keep 20', 'the current branch; its last 20 published commits can be searched, too'],
      ['publish --dry-run', 'how much the fleet lacks'],
    ],
  },
});

export const questions = [
  fleetSearch,
  fleetRepos,
  fleetFile,
  publish,
  defineQuestion({
    name: 'fleet init',
    summary: 'make the tables of a store, and try whether it keeps simultaneous commits',
    effect: 'writes',
    params,
    answer: async () => (await fleet()).init,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      examples: [
        ['fleet init --at file:///srv/fleet', 'a folder'],
        ['fleet init --at s3://bucket/fleet', 'a bucket; one that loses commits is refused'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet rebuild',
    summary: 'make new tables beside damaged ones, from what is whole and from clones, then switch to them',
    effect: 'writes',
    params: rebuildParams,
    answer: async () => (await fleet()).rebuild,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      isNegative: ({ rebuilt }) => rebuilt?.switched === false,
      examples: [
        ['fleet rebuild', 'undamaged tables are copied; damaged ones are named'],
        ['fleet rebuild --from ~/code/shop --from ~/code/bank', 'and the rest from the notes of clones'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet status',
    summary: 'say how large a store is, and who maintains it',
    effect: 'reads',
    params,
    answer: async () => (await fleet()).status,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      examples: [
        ['fleet status', 'the store of the setting fleet.url'],
        ['fleet status --at file:///srv/fleet', 'another one'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet fsck',
    summary: 'find published refs whose contents are absent or damaged',
    effect: 'reads',
    params,
    answer: async () => (await fleet()).fsck,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      isNegative: ({ damaged, faults }) => (damaged?.length ?? 0) + (faults?.length ?? 0) > 0,
      examples: [
        ['fleet fsck', 'the store of the setting fleet.url'],
        ['fleet fsck --at file:///srv/fleet --json', 'another one, as JSON'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet maintain',
    summary: 'remove contents that no published ref has, index new ones, delete old versions of tables',
    effect: 'deletes',
    params: maintainParams,
    answer: async () => (await fleet()).maintain,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      examples: [
        ['fleet maintain', 'once an hour'],
        ['fleet maintain --now', 'after a repository was dropped'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet token',
    summary: 'add, list or revoke tokens of clients of a server',
    effect: 'writes',
    params: tokenParams,
    answer: async () => (await fleet()).token,
    text: async () => (await import('./answer.js')).fleetTokensText,
    documents: { 'fleet-tokens': { schema: fleetTokensSchema } },
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      examples: [
        ['fleet token add ci --tokens tokens.json --publish "github.com/acme/*"', 'prints the token, once'],
        ['fleet token list --tokens tokens.json', 'who may read and publish what'],
        ['fleet token revoke ci --tokens tokens.json', 'a running server refuses it within a second'],
      ],
    },
  }),
  defineQuestion({
    name: 'fleet drop',
    summary: 'remove a repository from a store',
    effect: 'deletes',
    params: dropParams,
    answer: async () => (await fleet()).drop,
    text: toText,
    documents,
    command: {
      ...{ group: 'Maintain', json, withoutSession: true },
      examples: [
        ['fleet drop github.com/acme/shop', 'with every branch'],
        ['fleet drop shop --at file:///srv/fleet', 'from another store'],
      ],
    },
  }),
];

export const fleetUses = s.object({
  schemaVersion: s.literal(1),
  fleet: s.object({
    searched: count.describe(
      'Number of repositories that were searched: all that the token may read, except this one.',
    ),
    withoutRef: count,
    damaged: count,
    unknown: count.describe('Repositories that were published without what they use: their uses are not known.'),
  }),
  repositories: s
    .array(s.object({ ...publishedView, uses: count, files: count.describe('Files with uses.') }))
    .describe('Repositories that use it, those with most uses first.'),
  uses: some(
    linkedUse.extend({ project: s.string().describe('The repository, as `repositories` names it.') }),
  ).describe('Nearest and surest first.'),
});

export type FleetUsesDocument = s.Infer<typeof fleetUses>;
