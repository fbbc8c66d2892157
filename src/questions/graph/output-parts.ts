/** Pieces that the documents of `graph` share. */
import { z } from 'zod';
import { EDGE_KINDS, EVIDENCE_TIERS } from '../../graph/types.js';
import { answer, count } from '../output-parts.js';

export const line = z.number().int().positive();

/** A list that was cut. */
export const some = <T extends z.ZodType>(item: T) =>
  z.strictObject({ list: z.array(item), leftOut: count.describe('Further ones, beyond the limit.') });

/** First fields of every document about the graph. */
export const header = { schemaVersion: z.literal(1), ...answer };

/** The symbol or file that was asked about. */
export const asked = {
  target: z.string().describe('As asked for.'),
  others: count.describe('Further definitions of that name, in tests, examples or copies, that were not meant.'),
  alternatives: z
    .array(z.string())
    .optional()
    .describe('Members of that name that nothing uses, where a used function was meant: what to ask for instead.'),
};

export const confidence = z.number().min(0).max(1).describe('How likely it is right; 0 where it leads nowhere.');

export const tier = z
  .enum(EVIDENCE_TIERS)
  .describe('Why an edge is believed to lead where it does, strongest first; the last three lead nowhere.');

export const edgeKind = z.enum(EDGE_KINDS);
/** Kinds of edges, and of `further` steps that are no edges. */
export const stepKind = <const T extends readonly string[]>(further: T) => z.enum([...EDGE_KINDS, ...further]);

export const nodePlace = z.strictObject({
  path: z.string().describe('Path from the top of the repository.'),
  symbol: z.string().nullable().describe('Qualified name; null for a file, or what stands outside of its symbols.'),
  kind: z
    .enum([
      ...(['file', 'function', 'method', 'constructor', 'class', 'interface', 'trait', 'struct', 'enum'] as const),
      ...(['enum-member', 'type', 'module', 'namespace', 'constant', 'variable', 'field', 'property'] as const),
      ...(['macro', 'object', 'section', 'table', 'selector', 'key', 'impl'] as const),
    ])
    .describe('What it is.'),
  exported: z.boolean().describe('Visible outside of its file.'),
  startLine: line,
  endLine: line,
});

export const usePlace = z.strictObject({
  path: z.string(),
  line,
  endLine: line,
  symbol: z.string().nullable().describe('The enclosing symbol; null at top level.'),
  kind: edgeKind,
  tier,
  confidence,
  text: z.string().describe('As written; untrusted repository content.'),
});

export const callerPlace = usePlace.extend({
  through: z.string().optional().describe('The member of a parent type that is used, where that may run this one.'),
});

export const reachingTest = z.strictObject({
  path: z.string(),
  symbol: z.string().nullable(),
  hops: count.describe('Uses between the test and what it tests; 0 where the test itself changes.'),
  line,
});

const firstPlaces = z.array(z.strictObject({ path: z.string(), line }));

/** Mentions in documents and comments: counted, with the first places; absent where there are none. */
export const mentionedIn = z
  .strictObject({
    mentions: count,
    documents: count,
    first: firstPlaces,
    comments: z
      .strictObject({ mentions: count, files: count, first: firstPlaces, unread: count })
      .optional()
      .describe('Doc comments of other files that mention it; unread: files that may have more.'),
  })
  .optional();

/** Linked graphs that this machine keeps. */
export const cachedGraphs = z.strictObject({ files: count, bytes: count });

/** A file or a symbol, by its place. */
export type Place = z.infer<typeof nodePlace>;
/** One use as evidence. */
export type Use = z.infer<typeof callerPlace>;
/** A test file that reaches something. */
export type ReachingTest = z.infer<typeof reachingTest>;
/** How often documents mention something. */
export type MentionedIn = NonNullable<z.infer<typeof mentionedIn>>;
