/** `graph symbol`, `codebase_symbol`: definitions, each with its callers, callees, relatives and tests. */
import { commandText, list, type Values } from '../../../params/param.js';
import * as s from '../../../params/shape.js';
import { count, faultSchema } from '../../shared-output.js';
import { file, graphLimit, linkedUsers, MAX_GRAPH_LIMIT, REF, snapshot } from '../../shared-params.js';
import { defineGraphQuestion, LISTED, listedFor } from '../graph-question.js';
import {
  callerPlace,
  confidence,
  edgeKind,
  graphCandidatesSchema,
  header,
  incomplete,
  line,
  linkedUses,
  memberUses,
  mentionedIn,
  namedLines,
  nodePlace,
  reachingTest,
  requested,
  shownNotes,
  shownSummaries,
  some,
  tier,
  usePlace,
} from '../output.js';

const outsideCall = s.object({ text: s.string(), use: edgeKind, lines: s.array(line) });

const facts = {
  containers: s.array(nodePlace),
  decorators: s.array(s.string()),
  callers: some(callerPlace).describe('Calls, and functions handed on.'),
  otherUses: count.describe('Uses that are no calls: as a type, by inheritance.'),
  noCallers: s
    .object({
      verdict: s.enum([
        ...(['certain', 'unresolved-uses', 'entry-point', 'exported', 'framework', 'indirect'] as const),
        ...(['no-call-facts', 'degraded'] as const),
      ]),
      reason: s.string(),
      possible: some(usePlace),
    })
    .optional()
    .describe('Where it has no callers: why.'),
  memberUses,
  possibleCallers: count.describe('Uses of that name whose target is not known.'),
  callees: s.object({
    resolved: some(nodePlace.extend({ lines: s.array(line), use: edgeKind, tier, confidence })),
    external: some(outsideCall),
    unresolved: some(outsideCall),
  }),
  parents: s.array(
    s.object({ name: s.string(), use: edgeKind, place: nodePlace.nullable().describe('Null: outside.') }),
  ),
  subtypes: some(nodePlace).describe('Types that inherit from it or implement it.'),
  overrides: some(nodePlace).describe('Members of parent types that it stands in for.'),
  overriddenBy: some(nodePlace),
  tests: some(reachingTest).describe(
    'Test files from which known uses lead to it, nearest first. `impact` knows those that reach it otherwise.',
  ),
};

const symbol = {
  ...requested,
  definitions: s
    .array(nodePlace.extend({ signature: s.string().describe('Untrusted repository content.') }))
    .describe('Several where it is overloaded or merged from parts.'),
  named: namedLines,
  doc: s.string().describe("First line of its comment, '' if there is none; untrusted repository content."),
  ...facts,
  mentionedIn,
  linked: linkedUses.optional().describe('With `linked`: uses by other repositories.'),
};

export const graphSymbolResponseSchema = s.object({
  ...header,
  ...incomplete,
  ...symbol,
  notes: shownNotes.optional(),
  summaries: shownSummaries.optional(),
});

const graphSeveralSymbolsSchema = s.object({
  ...header,
  ...incomplete,
  symbols: s.array(s.object(symbol)).describe('In the order of the names.'),
  symbolsLeftOut: count.describe('Further symbols, on the next page.'),
  notes: shownNotes.optional(),
  summaries: shownSummaries.optional(),
  problems: s
    .array(faultSchema.extend({ target: s.string(), candidates: graphCandidatesSchema.fields.candidates.optional() }))
    .describe('Names without an answer, each with the reason and the next step.'),
});

export type GraphSymbolResponse = s.Infer<typeof graphSymbolResponseSchema>;
export type GraphSeveralSymbols = s.Infer<typeof graphSeveralSymbolsSchema>;
/** One symbol without the header of the answer. */
export type SymbolAnswer = GraphSeveralSymbols['symbols'][number];
export type SymbolProblem = GraphSeveralSymbols['problems'][number];
/** Parts of the document that come from the graph; the others are read from the file. */
export type SymbolFacts = s.InferFields<typeof facts>;
export type Callee = SymbolFacts['callees']['resolved']['list'][number];
/** A call whose target is not in the graph. */
export type OutsideCall = s.Infer<typeof outsideCall>;
/** A type that it inherits from; `place` is null for one outside of the repository. */
export type Parent = SymbolFacts['parents'][number];

/** Maximum number of names of one question. */
const MAX_NAMES = 100;

const params = {
  names: list({
    summary: 'total, Cart.total, src/cart.ts:Cart.total or src/cart.ts:42; several at once',
    required: true,
    minLength: 1,
    maxEntries: MAX_NAMES,
    completes: 'symbol',
    cli: { argument: '<names...>' },
  }),
  file,
  linked: linkedUsers,
  ...snapshot,
  limit: graphLimit('entries of each list', LISTED.symbol),
} as const;

export type SymbolValues = Values<typeof params>;

export const question = defineGraphQuestion<typeof params, GraphSymbolResponse | GraphSeveralSymbols>({
  name: 'graph symbol',
  summary: 'definitions, each with its callers, its callees, its base and derived types, its tests',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerSymbol,
  text: async () => (await import('./answer.js')).symbolBlocks,
  documents: {
    'graph-symbol': {
      schema: graphSymbolResponseSchema,
      title: commandText('graph symbol NAME', { json: true }),
    },
    'graph-symbol-several': {
      schema: graphSeveralSymbolsSchema,
      title: commandText('graph symbol NAME NAME…', { json: true }),
    },
  },
  command: {
    group: 'Follow code',
    examples: [
      ['graph symbol Cart.total', 'callers, callees and tests of a method'],
      ['graph symbol src/cart.ts:42', 'the definition around a line'],
      ['graph symbol Cart.total --linked', 'and its users in the linked repositories'],
      ['graph symbol Cart.total Cart.add', 'two methods, one after the other'],
    ],
    isNegative: (answer) => 'problems' in answer && answer.problems.length > 0,
  },
  tool: {
    name: 'codebase_symbol',
    title: 'Symbol',
    toolset: 'graph',
    description: 'Definitions: callers, callees, relatives, tests.',
    params: {
      // Other tools about the graph call it so too: an agent gives one name or a list.
      names: { name: 'name', summary: 'Class.method, PATH:NAME, PATH:LINE.' },
      file: '',
      ref: REF,
    },
    maxTokens: 2_000,
    page: { size: ({ names }) => listedFor(names), most: MAX_GRAPH_LIMIT },
  },
});
