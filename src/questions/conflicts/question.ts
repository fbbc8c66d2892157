/** `conflicts`, `codebase_conflicts`: branches and work trees that change the same code as the checked-out one, or code that it uses. */
import { commandText, flag, integer, list, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { edgeKind, header, line, some } from '../graph/output.js';
import { defineQuestion } from '../question.js';
import { count, oid } from '../shared-output.js';
import { graphLimit, MAX_GRAPH_LIMIT, oneSnapshot, REF } from '../shared-params.js';

/** Most branches that are listed. */
export const LISTED_BRANCHES = 20;
/** Most entries in each of a branch's three lists, which are read at a glance. */
export const LISTED_OF_BRANCH = 6;
/** Default of the days by which a branch may be older than the newest one. */
const MAX_AGE_DAYS = 90;

export const params = {
  branch: list({
    summary: 'branches, work trees, or any commits; without one, all that are not stale',
    maxLength: 1_024,
    minLength: 1,
    maxEntries: 200,
    completes: 'ref',
    cli: { argument: '[branch...]' },
  }),
  plan: flag({
    summary: 'in which order to merge them into this one, and which break each other though git merges them',
  }),
  watch: flag({
    summary: 'go on, and say when another branch or work tree begins to change what this one changes or uses',
  }),
  with: list({
    summary: 'only branches whose names match; "!glob" excludes; repeatable',
    maxLength: 512,
    minLength: 1,
    completes: 'ref',
    cli: { value: 'glob' },
  }),
  maxAge: integer({
    summary: 'leave out branches whose last commit is so many days older than the newest one of all',
    min: 0,
    max: 100_000,
    default: MAX_AGE_DAYS,
    cli: { value: 'days' },
  }),
  ...oneSnapshot,
  limit: graphLimit('branches, and entries of each list of a branch', `${LISTED_BRANCHES} and ${LISTED_OF_BRANCH}`),
} as const;

export type ConflictsValues = Values<typeof params>;

const change = s
  .enum(['added', 'removed', 'signature', 'body', 'doc'])
  .describe('Since the two parted: what changed most, of its declaration, body and comment.');

const conflict = s.object({
  path: s.string(),
  kind: s.string().describe("git's word: contents, modify/delete, rename/delete, file location…"),
  symbols: s.array(s.string()).describe('Symbols of the file that both sides change.'),
});

const sharedSymbol = s.object({
  path: s.string(),
  symbol: s.string(),
  kind: s.string(),
  line: line.nullable().describe('On this side; null where it is removed.'),
  mine: change,
  theirs: change,
});

const use = s.object({
  path: s.string(),
  line,
  symbol: s
    .string()
    .nullable()
    .describe('Symbol that this side changes and that has the use; null outside of symbols.'),
  use: edgeKind,
  target: s
    .object({
      path: s.string(),
      symbol: s.string(),
      change,
      was: s.string().nullable().describe('Declaration when the two parted; untrusted repository content.'),
      now: s.string().nullable().describe('Declaration on the other side; null where it is gone or unknown.'),
    })
    .describe('Symbol that the other side changes.'),
});

const branch = s.object({
  name: s.string().describe('Branch; path of a work tree with a detached HEAD or uncommitted changes.'),
  kind: s.enum(['branch', 'remote', 'worktree', 'commit']),
  alias: s.array(s.string()).describe('Other branches at the same commit.'),
  commit: oid,
  base: oid.nullable().describe('Commit at which the two parted; null where this clone has none.'),
  uncommitted: count.describe('Files of the work tree that are not committed, and are compared.'),
  overlap: s.enum(['merge', 'symbols', 'uses', 'unknown', 'none']).describe('The worst that was found.'),
  files: s.object({ mine: count, theirs: count, both: count }).describe('Files changed since they parted.'),
  merge: some(conflict).describe('Files that git cannot merge by itself.'),
  symbols: some(sharedSymbol).describe('Symbols that both sides change in different ways; all of them may merge.'),
  uses: some(use).describe('Uses in what this side changes, of what the other side changes.'),
  unknown: s.array(s.string()).describe('Reasons why something could not be compared.'),
});

export const conflictsSchema = s.object({
  ...header,
  uncommitted: count.describe('Uncommitted files of this side that are compared.'),
  unknown: s.array(s.string()).describe('Reasons why something of this side could not be read.'),
  compared: count.describe('Branches and work trees that were compared.'),
  clean: count.describe('Of these, those with nothing in common, which are not listed.'),
  maxAge: count.describe('Days.'),
  leftOut: s.object({
    merged: count.describe('Branches that bring nothing new.'),
    old: count.describe('Branches older than `maxAge`, counted back from the newest commit of all.'),
    contained: count.describe('Remote branches behind the local branch that follows them.'),
    beyond: count.describe('Branches beyond the number that is compared, the oldest.'),
    files: count.describe('Files whose symbols were not compared because there are too many.'),
  }),
  branches: some(branch).describe('The worst first.'),
});

const site = {
  path: s.string(),
  line,
  symbol: s.string().nullable().describe('The enclosing symbol, or the changed one; null at top level.'),
};

const planBreak = s.object({
  kind: s
    .enum(['gone', 'arguments', 'results', 'demanded', 'override', 'twice'])
    .describe(
      'gone: a use of what is removed, renamed, moved or not exported any more; arguments: a call that does not fit; results: an assignment of results that are other ones now; demanded: a type lacks a member that its parent demands now; override: a member overrides nothing, or with the former parameters; twice: both add a symbol of one name at one place.',
    ),
  certainty: s
    .enum(['certain', 'likely'])
    .describe('certain: the facts prove it; likely: the text does not tell everything.'),
  changer: s.string().describe('Branch that changes it.'),
  change: s.object({
    ...site,
    what: s.enum(['removed', 'renamed', 'moved', 'hidden', 'declared', 'demanded', 'added']),
    now: s.object(site).optional().describe('Where it is now.'),
  }),
  user: s.string().describe('Branch that adds the use.'),
  use: s
    .object({ ...site, text: s.string().describe('As written; untrusted repository content.') })
    .describe('As merged.'),
  why: s.string().nullable().describe('One phrase.'),
});

const planStep = s.object({
  name: s.string(),
  kind: s.enum(['branch', 'remote', 'worktree', 'commit']),
  commit: oid,
  uncommitted: count,
  files: count.describe('Files that it changes.'),
  breaks: count.describe('Uses that break when it is merged after those before it in the list.'),
  conflicts: count.describe('Files in which git cannot merge it with those before it.'),
  with: s.array(s.string()).describe('Those before it that it breaks or conflicts with.'),
});

const textual = s.object({
  a: s.string(),
  b: s.string(),
  files: s.array(s.object({ path: s.string(), kind: s.string() })),
});

export const planSchema = s.object({
  ...header,
  order: some(planStep).describe('In the order to merge them: first those that break nothing.'),
  clean: count.describe('Steps at the beginning that break nothing and do not conflict.'),
  breaks: some(planBreak).describe('Uses that break though git merges both; certain ones first.'),
  conflicts: some(textual).describe('Pairs that git cannot merge.'),
  pairs: s.object({
    all: count.describe('Pairs of branches, with the one that they are merged into.'),
    linked: count.describe('Pairs whose files were linked, since one names what the other changes.'),
    leftOut: count.describe('Further such pairs: there are too many.'),
  }),
  unknown: s.array(s.string()).describe('Reasons why something could not be compared.'),
});

export type PlanDocument = s.Infer<typeof planSchema>;
export type PlanBreak = s.Infer<typeof planBreak>;
export type PlanStep = s.Infer<typeof planStep>;
export type ConflictsDocument = s.Infer<typeof conflictsSchema>;
export type BranchOverlap = s.Infer<typeof branch>;
export type SharedSymbol = s.Infer<typeof sharedSymbol>;
export type SharedUse = s.Infer<typeof use>;
export type ChangeWord = s.Infer<typeof change>;

export const question = defineQuestion<typeof params, ConflictsDocument | PlanDocument>({
  name: 'conflicts',
  summary: 'branches and work trees that conflict with what is checked out, or change symbols that it changes or uses',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerConflicts,
  text: async () => (await import('./answer.js')).conflictsText,
  documents: {
    conflicts: { schema: conflictsSchema },
    'conflicts-plan': { schema: planSchema, title: commandText('conflicts', { plan: true, json: true }) },
  },
  command: {
    group: 'See changes',
    examples: [
      ['conflicts', 'with every branch and work tree that is not stale, uncommitted changes included'],
      ['conflicts feature/cart', 'with one branch'],
      ['conflicts --ref main --with "origin/*"', 'of main with the fetched branches of a remote'],
      ['conflicts --plan --ref main', 'in which order to merge all into main, and what breaks then'],
      ['conflicts --watch', 'say when another work tree begins to change what I use'],
    ],
    isNegative: (document) =>
      'order' in document
        ? document.breaks.list.length + document.conflicts.list.length === 0
        : document.branches.list.every(({ overlap }) => overlap === 'none'),
    stream: {
      when: ({ watch }) => watch === true,
      load: async () => (await import('./answer.js')).watchConflicts,
    },
  },
  tool: {
    name: 'codebase_conflicts',
    title: 'Conflicts with branches',
    toolset: 'history',
    description:
      'Branches and work trees that conflict with what is checked out when merged, change the same symbols, or change symbols that it uses. Ask before a merge or a larger edit.',
    params: {
      branch: 'Branches, work trees or commits; default: all.',
      plan: 'Order to merge all in, and uses that break though git merges them.',
      with: { summary: 'Glob of branch names; !glob excludes.', one: true },
      maxAge: 'Days behind the newest branch; default {default}.',
      ref: REF,
    },
    maxTokens: 3_000,
    page: { size: LISTED_BRANCHES, most: MAX_GRAPH_LIMIT },
  },
});
