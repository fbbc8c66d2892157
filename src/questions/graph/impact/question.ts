/** `graph impact`, `codebase_impact`: code that a change may break. */
import { flag, integer, number, text, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { fleetUses } from '../../fleet/question.js';
import { count, oid } from '../../shared-output.js';
import {
  file,
  fleetUsers,
  graphLimit,
  linkedUsers,
  MAX_GRAPH_LIMIT,
  REF,
  snapshot,
  staged,
} from '../../shared-params.js';
import { bothVersions, coupled } from '../changes/output.js';
import { defineGraphQuestion, LISTED } from '../graph-question.js';
import {
  confidence,
  header,
  incomplete,
  likelyStep,
  line,
  linkedUses,
  mentionedIn,
  nodePlace,
  requested,
  shownNotes,
  some,
  stepKind,
  testToRun,
} from '../output.js';

const affected = nodePlace.extend({
  use: stepKind(['overrides', 'contains', 'named']).describe(
    'How it uses the step before; overrides: a member that the changed one stands in for; contains: defined in it; named: by the name of an event, a message or a key.',
  ),
  line: line.describe('The line of its file that says so.'),
  confidence,
  via: s.string().describe('What it uses: the step before it.'),
  likely: likelyStep,
});

const hop = s.object({
  hop: count,
  affected: s.array(affected),
  leftOut: count,
});

const impact = {
  affected: count.describe('Symbols and files that use it, directly or through others; tests are not among them.'),
  files: count.describe('Files that those are in.'),
  risk: s.object({
    level: s.enum(['low', 'unknown', 'medium', 'high', 'critical']).describe('unknown: low, if no use was missed.'),
    reasons: s.array(s.string()),
    someTest: s
      .string()
      .optional()
      .describe('The run of some test that ran it, where no test is known by name; untrusted.'),
    named: s
      .array(s.string())
      .optional()
      .describe('PATH:LINE of the first lines elsewhere that have its name, where the risk is unknown for them.'),
  }),
  hops: s.array(hop),
  tests: some(testToRun).describe('Test files that will run it, nearest first.'),
  mayRun: some(testToRun).optional().describe('May run it, likeliest first.'),
  possible: count.describe('Uses of its name that could not be resolved and may be uses of it.'),
};

const changed = nodePlace
  .extend({
    change: s.enum(['added', 'changed', 'moved', 'renamed']),
    was: s.string().optional().describe('Its former name.'),
    ownBody: s
      .literal(true)
      .optional()
      .describe('Only its own body differs, beside members: its users are not among those of all changes.'),
    ...impact,
  })
  .describe('One that differs.');

const removed = s.object({
  path: s.string(),
  symbol: s.string(),
  kind: s.string(),
  uses: some(s.object({ path: s.string(), line })).describe('Possible dangling uses: they share nothing but the name.'),
});

export const graphImpactResponseSchema = s.object({
  ...header,
  ...incomplete,
  ...requested,
  depth: count,
  minConfidence: s.number(),
  definitions: s.array(nodePlace).describe('What changes; with a range or nothing named, see `changes`.'),
  ...impact,
  mentionedIn,
  coupled: some(coupled)
    .optional()
    .describe('Files that usually change in the same commits as the file of the target, where they were asked for.'),
  linked: linkedUses.optional().describe('With `linked`: uses by other repositories.'),
  fleet: fleetUses.optional().describe('With `fleet`: uses by repositories of the fleet.'),
  notes: shownNotes.optional(),
  changes: s
    .object({
      from: s.object({ ref: s.string(), commit: oid.nullable() }),
      to: s.object({ ref: s.string(), commit: oid.nullable() }).nullable().describe('Null: the work tree.'),
      files: count.describe('Indexed files that differ.'),
      notIndexed: count.describe('Further files that differ, which are not indexed.'),
      ...bothVersions,
      symbols: some(changed).describe('Largest effect first.'),
      removed: some(removed),
    })
    .optional()
    .describe('With a range, or for uncommitted changes.'),
});

export type GraphImpactResponse = s.Infer<typeof graphImpactResponseSchema>;
/** Answer about the difference between two snapshots. */
export type ChangeImpactResponse = GraphImpactResponse & Required<Pick<GraphImpactResponse, 'changes'>>;
/** A node that uses the change, directly or through others. */
export type Affected = s.Infer<typeof affected>;
export type Hop = s.Infer<typeof hop>;
export type Impact = Omit<s.Infer<typeof changed>, keyof NodePlace | 'change' | 'was'>;
/** A symbol that differs, with its impact. */
export type ChangeImpact = s.Infer<typeof changed>;
/** A removed symbol, with uses that may have meant it. */
export type RemovedUses = s.Infer<typeof removed>;
type NodePlace = s.Infer<typeof nodePlace>;

const params = {
  target: text({
    summary: 'a symbol, a file, or A..B; without one, the uncommitted changes',
    completes: 'symbol',
    cli: { argument: '[target]' },
  }),
  file,
  depth: integer({ summary: 'hops', min: 1, max: 10, default: 3, cli: { value: 'n' } }),
  minConfidence: number({
    summary: 'leave out uses that are less certain',
    min: 0,
    max: 1,
    default: 0,
    cli: { value: 'p' },
  }),
  coupled: flag({ summary: 'files that usually change in the same commits as its file, too' }),
  linked: linkedUsers,
  fleet: fleetUsers,
  staged,
  ...snapshot,
  limit: graphLimit('entries of each list', LISTED.impact),
} as const;

export type ImpactValues = Values<typeof params>;

export const question = defineGraphQuestion({
  name: 'graph impact',
  summary: 'what may break when something changes, hop by hop, and which tests to run',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerImpact,
  text: async () => (await import('../changes/text.js')).impactBlocks,
  documents: { 'graph-impact': { schema: graphImpactResponseSchema } },
  command: {
    group: 'Follow code',
    examples: [
      ['graph impact', 'what the uncommitted changes may break'],
      ['graph impact --staged', 'what the next commit may break'],
      ['graph impact Cart.total --depth 1', 'direct users of a method'],
      ['graph impact Cart.total --coupled', 'and files that usually change with it'],
      ['graph impact main..feature', 'what a branch may break'],
      ['graph impact Cart.total --linked', 'in the linked repositories, too'],
      ['graph impact main.. --fleet', 'which repositories of the fleet use what changes'],
    ],
    isNegative: ({ affected, tests, changes, coupled, linked, fleet }) =>
      affected + tests.list.length + (coupled?.list.length ?? 0) === 0 &&
      (linked?.uses.list.length ?? 0) + (fleet?.uses.list.length ?? 0) === 0 &&
      !(changes && changes.symbols.list.length + changes.removed.list.length + changes.dangling.list.length),
  },
  tool: {
    name: 'codebase_impact',
    title: 'Impact of a change',
    toolset: 'core',
    description: 'What may break; tests to run. Call before you edit; after, without a target, for uses that dangle.',
    params: {
      target: { summary: 'Symbol, file or A..B; default: uncommitted changes.', minLength: 1 },
      file: 'File or directory of it.',
      depth: 'Hops; default {default}.',
      minConfidence: '',
      coupled: 'Files that change along.',
      linked: { summary: '', name: 'includeLinked' },
      ref: REF,
    },
    maxTokens: 2_500,
    page: { size: LISTED.impact, most: MAX_GRAPH_LIMIT },
  },
});
