/** Pieces that the documents of `graph` share. */
import { EDGE_KINDS, EVIDENCE_TIERS } from '../../graph/types.js';
import * as s from '../../params/shape.js';
import { answer, count } from '../output-parts.js';

export const line = s.integer({ exclusiveMinimum: 0 });

/** A list that was cut. */
export const some = <T extends s.Any>(item: T) =>
  s.object({ list: s.array(item), leftOut: count.describe('Further ones, beyond the limit.') });

/** First fields of every document about the graph. */
export const header = { schemaVersion: s.literal(1), ...answer };

/** The symbol or file that was asked about. */
export const asked = {
  target: s.string().describe('As asked for.'),
  others: count.describe('Further definitions of that name, in tests, examples or copies, that were not meant.'),
  alternatives: s
    .array(s.string())
    .optional()
    .describe('Members of that name that nothing uses, where a used function was meant: what to ask for instead.'),
};

export const confidence = s
  .number({ minimum: 0, maximum: 1 })
  .describe('How likely it is right; 0 where it leads nowhere.');

export const tier = s
  .enum(EVIDENCE_TIERS)
  .describe('Why an edge is believed to lead where it does, strongest first; the last three lead nowhere.');

export const edgeKind = s.enum(EDGE_KINDS);
/** Kinds of edges, and of `further` steps that are no edges. */
export const stepKind = <const T extends readonly string[]>(further: T) => s.enum([...EDGE_KINDS, ...further]);

export const nodePlace = s.object({
  path: s.string().describe('Path from the top of the repository.'),
  symbol: s.string().nullable().describe('Qualified name; null for a file, or what stands outside of its symbols.'),
  kind: s
    .enum([
      ...(['file', 'function', 'method', 'constructor', 'class', 'interface', 'trait', 'struct', 'enum'] as const),
      ...(['enum-member', 'type', 'module', 'namespace', 'constant', 'variable', 'field', 'property'] as const),
      ...(['macro', 'object', 'section', 'table', 'selector', 'key', 'impl'] as const),
    ])
    .describe('What it is.'),
  exported: s.boolean().describe('Visible outside of its file.'),
  startLine: line,
  endLine: line,
});

export const usePlace = s.object({
  path: s.string(),
  line,
  endLine: line,
  symbol: s.string().nullable().describe('The enclosing symbol; null at top level.'),
  kind: edgeKind,
  tier,
  confidence,
  text: s.string().describe('As written; untrusted repository content.'),
});

export const callerPlace = usePlace.extend({
  through: s.string().optional().describe('The member of a parent type that is used, where that may run this one.'),
});

export const reachingTest = s.object({
  path: s.string(),
  symbol: s.string().nullable(),
  hops: count.describe('Uses between the test and what it tests; 0 where the test itself changes.'),
  line,
});

const firstPlaces = s.array(s.object({ path: s.string(), line }));

/** Mentions in documents and comments: counted, with the first places; absent where there are none. */
export const mentionedIn = s
  .object({
    mentions: count,
    documents: count,
    first: firstPlaces,
    comments: s
      .object({ mentions: count, files: count, first: firstPlaces, unread: count })
      .optional()
      .describe('Doc comments of other files that mention it; unread: files that may have more.'),
  })
  .optional();

/** Linked graphs that this machine keeps. */
export const cachedGraphs = s.object({ files: count, bytes: count });

/** A file or a symbol, by its place. */
export type Place = s.Infer<typeof nodePlace>;
/** One use as evidence. */
export type Use = s.Infer<typeof callerPlace>;
/** A test file that reaches something. */
export type ReachingTest = s.Infer<typeof reachingTest>;
/** How often documents mention something. */
export type MentionedIn = NonNullable<s.Infer<typeof mentionedIn>>;
