/** Documents of `graph symbol`: of one name, and of several. */
import * as s from '../../../params/shape.js';
import { mentions } from '../../note/mention/output.js';
import { count, faultSchema } from '../../output-parts.js';
import { toldSummaries } from '../../summarize/told/output.js';
import { graphCandidatesSchema } from '../candidates/output.js';
import { linkedUses } from '../linked/output.js';
import {
  asked,
  callerPlace,
  confidence,
  edgeKind,
  header,
  line,
  mentionedIn,
  nodePlace,
  reachingTest,
  some,
  tier,
  usePlace,
} from '../output-parts.js';

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
  tests: some(reachingTest).describe('Test files that reach it, nearest first.'),
};

const symbol = {
  ...asked,
  definitions: s
    .array(nodePlace.extend({ signature: s.string().describe('Untrusted repository content.') }))
    .describe('Several where it is overloaded or merged from parts.'),
  doc: s.string().describe("First line of its comment, '' if there is none; untrusted repository content."),
  ...facts,
  mentionedIn,
  linked: linkedUses.optional().describe('With `linked`: uses by other repositories.'),
};

export const graphSymbolResponseSchema = s.object({
  ...header,
  ...symbol,
  notes: mentions.optional(),
  summaries: toldSummaries.optional(),
});

export const graphSeveralSymbolsSchema = s.object({
  ...header,
  symbols: s.array(s.object(symbol)).describe('In the order of the names.'),
  symbolsLeftOut: count.describe('Further symbols, on the next page.'),
  notes: mentions.optional(),
  summaries: toldSummaries.optional(),
  problems: s
    .array(faultSchema.extend({ target: s.string(), candidates: graphCandidatesSchema.fields.candidates.optional() }))
    .describe('Names without an answer, each with the reason and the next step.'),
});

export type GraphSymbolResponse = s.Infer<typeof graphSymbolResponseSchema>;
export type GraphSeveralSymbols = s.Infer<typeof graphSeveralSymbolsSchema>;
/** One symbol, without the snapshot that it is of. */
export type SymbolAnswer = GraphSeveralSymbols['symbols'][number];
export type SymbolProblem = GraphSeveralSymbols['problems'][number];
/** Parts of the document that the graph tells; the others are read from the file. */
export type SymbolFacts = s.InferFields<typeof facts>;
export type Callee = SymbolFacts['callees']['resolved']['list'][number];
/** A call whose target is not in the graph. */
export type OutsideCall = s.Infer<typeof outsideCall>;
/** A type that it inherits from; `place` is null for one outside of the repository. */
export type Parent = SymbolFacts['parents'][number];
