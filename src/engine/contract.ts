/**
 * The documents of `--json` (and, later, of MCP's structuredContent) as zod schemas; `schemas/` holds the JSON Schemas
 * generated from them. Only tests and the generator load zod: the program itself uses the types.
 */
import { z } from 'zod';

const count = z.number().int().nonnegative();
const oid = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);
const counts = z.record(z.string(), count);

export const placeSchema = z.strictObject({
  path: z.string().describe('Path from the top of the repository.'),
  startLine: z.number().int().positive().describe('First line, counted from 1.'),
  endLine: z.number().int().positive().describe('Last line, inclusive.'),
});

export const searchResultSchema = placeSchema.extend({
  paths: z.array(z.string()).min(1).describe('Every path where this text stands, `path` first.'),
  places: z.array(placeSchema).optional().describe('The other places with the same text.'),
  language: z.string(),
  kind: z
    .string()
    .describe('What the chunk is: a kind of definition, or imports, code, text, data, markup, style, comment.'),
  symbol: z.string().nullable().describe('Qualified name of the definition that the chunk is about.'),
  score: z.number().describe('Higher is better; comparable within one answer only.'),
  sources: z
    .array(z.enum(['lexical', 'definition', 'path', 'semantic']))
    .describe('What speaks for the chunk: its words, a definition, the path, its meaning.'),
  explain: z.record(z.string(), z.number()).optional().describe('With --explain: every contribution to the score.'),
  content: z.string().optional().describe("The chunk's text, read from the blob; untrusted repository content."),
});

const answer = {
  ref: z.string().describe('The ref as asked for.'),
  commit: oid.nullable().describe('The commit that the answer is about; null where a tree was named.'),
  coverage: z
    .strictObject({ covered: count, total: count })
    .describe('Files of the snapshot that were searched, of those that could be.'),
  dirty: count.describe('Files of the work tree that differ from HEAD; the answer does not know their changes.'),
};

const searchedVectors = z.strictObject({
  covered: count,
  total: count,
  reason: z.string().nullable().describe('Why vectors are missing or were not used, and what to do about it.'),
});

export const searchResponseSchema = z.strictObject({
  schemaVersion: z.literal(1),
  query: z.string(),
  kind: z.enum(['symbol', 'natural', 'question']).describe('How the query was understood.'),
  mode: z.enum(['lexical', 'hybrid', 'semantic']).describe('The mode that was used.'),
  ...answer,
  vectors: searchedVectors
    .optional()
    .describe('Chunks of the snapshot that can be found by meaning; absent in lexical mode.'),
  corrections: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .describe('Words no document has, and those searched for instead.'),
  results: z.array(searchResultSchema),
});

export const similarResponseSchema = z.strictObject({
  schemaVersion: z.literal(1),
  place: searchResultSchema.describe('The chunk at the place asked for.'),
  ...answer,
  vectors: searchedVectors.describe('Chunks of the snapshot that can be found by meaning.'),
  results: z.array(searchResultSchema),
});

const faultSchema = z.strictObject({ code: z.string(), message: z.string(), hint: z.string() });

const vectorReportSchema = z.strictObject({
  embedder: z.enum(['builtin', 'ollama', 'openai']),
  model: z.string(),
  dimensions: count.nullable().describe("Numbers per vector; null until a model's first answer has told."),
  profile: z.string().describe('Names everything that changes the vectors.'),
  covered: count.describe('Chunks of the snapshot that have a vector: `embedded`, `reused` and `loaded`.'),
  total: count,
  embedded: count.describe('Made in this run.'),
  reused: count.describe('Were there: the same chunk, or one with the same text.'),
  loaded: count.describe('Taken from records in notes.'),
  fault: faultSchema.nullable().describe('Why vectors are missing; then the exit code is 2.'),
});

export const indexReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: z.string(),
  commit: oid.nullable(),
  tree: oid,
  files: count.describe('Files of the snapshot that can be searched.'),
  blobs: count.describe('Distinct blobs among the files selected.'),
  new: count.describe('Blobs parsed in this run.'),
  reused: count.describe('Blobs whose record or shard entry stood already.'),
  skipped: counts.describe('Files that are not searched, by reason.'),
  degraded: counts.describe('Files chunked by lines although their language has a grammar, by reason.'),
  chunks: count,
  bytesAdded: count.describe('Bytes of new records and shards, before git compresses them.'),
  vectors: vectorReportSchema.describe('Vectors of the snapshot, counted in chunks.'),
  ms: z.record(z.string(), z.number()).describe('Milliseconds by phase; phases overlap.'),
});

export const dryRunSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: z.string(),
  commit: oid.nullable(),
  files: count,
  blobs: count,
  wouldParse: count,
  sourceBytes: count,
  wouldLoad: count.describe('Blobs that have a record and would only be loaded into a local shard.'),
  skipped: counts,
  estimatedBytes: count,
  estimatedSeconds: count,
  vectors: z
    .strictObject({
      embedder: z.enum(['builtin', 'ollama', 'openai']),
      model: z.string(),
      profile: z.string(),
      endpoint: z.string().nullable().describe('Address of the embedder as configured; null for its usual one.'),
      wouldEmbed: count.describe('Chunks that no file and no record has a vector for.'),
      isEstimate: z.boolean().describe('Are there blobs whose chunks are not known yet?'),
    })
    .describe('What would be embedded.'),
});

export const statusSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: z.string(),
  commit: oid.nullable(),
  profile: z.string(),
  coverage: z.strictObject({ covered: count, total: count }),
  records: z
    .strictObject({ present: count, missing: count })
    .describe('Blobs of the snapshot with and without a record.'),
  chunks: count,
  skipped: counts,
  degraded: counts,
  languages: counts.describe('Files by language.'),
  grammars: z.strictObject({ available: z.array(z.string()), missing: z.array(z.string()) }),
  notes: z.strictObject({ ref: z.string(), commit: oid.nullable(), records: count, packedBytes: count }),
  shards: z.strictObject({ directory: z.string(), count, bytes: count, documents: count }),
  vectors: z.strictObject({
    embedder: z.enum(['builtin', 'ollama', 'openai']),
    model: z.string(),
    dimensions: count.nullable().describe("Numbers per vector; null until a model's first answer has told."),
    profile: z.string(),
    covered: count.describe('Chunks of the snapshot that have a vector.'),
    total: count,
    bytes: count.describe('Of the vector files of this profile, graphs included.'),
    notes: z
      .strictObject({ ref: z.string(), commit: oid.nullable(), records: count, packedBytes: count })
      .nullable()
      .describe('Where vectors are kept for others; null if this configuration shares none.'),
    endpoint: z.string().nullable().describe('Address of the embedder as configured; null for its usual one.'),
    engine: z.enum(['usearch', 'javascript']).describe('What compares vectors.'),
    engineReason: z.string().nullable().describe('Why it is not usearch.'),
    fault: faultSchema.nullable().describe('With vectors missing: why the embedder cannot make them.'),
  }),
  dirty: count,
  branch: z.string().nullable(),
  remotes: z.array(z.string()),
  hook: z.strictObject({ installed: z.boolean(), path: z.string() }),
  writer: z.number().int().nullable().describe('Process that is indexing now.'),
  next: z.array(z.string()).describe('What to type next.'),
});

export const configReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  values: z.array(z.strictObject({ key: z.string(), value: z.unknown(), origin: z.string() })),
});

export const errorSchema = z.strictObject({
  schemaVersion: z.literal(1),
  error: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }),
});

export type SearchResponse = z.infer<typeof searchResponseSchema>;
export type SimilarResponse = z.infer<typeof similarResponseSchema>;
export type StatusReport = z.infer<typeof statusSchema>;
export type ConfigReport = z.infer<typeof configReportSchema>;
export type IndexReport = Omit<z.infer<typeof indexReportSchema>, 'schemaVersion'>;
export type DryRun = Omit<z.infer<typeof dryRunSchema>, 'schemaVersion'>;
