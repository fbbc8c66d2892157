/** Documents of `index`. */
import * as s from '../../params/shape.js';
import { count, counts, faultSchema, oid } from '../output-parts.js';

const vectorReportSchema = s.object({
  embedder: s.enum(['builtin', 'ollama', 'openai']),
  model: s.string(),
  dimensions: count.nullable().describe("Numbers per vector; null until a model's first answer has told."),
  profile: s.string().describe('Names everything that changes the vectors.'),
  covered: count.describe('Chunks of the snapshot that have a vector: `embedded`, `reused` and `loaded`.'),
  total: count,
  embedded: count.describe('Made in this run.'),
  reused: count.describe('Were there: the same chunk, or one with the same text.'),
  loaded: count.describe('Taken from records in notes.'),
  fault: faultSchema.nullable().describe('Why vectors are missing; then the exit code is 2.'),
});

export const indexReportSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
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
  ms: s.record(s.number()).describe('Milliseconds by phase; phases overlap.'),
  history: s
    .object({
      commits: count.describe('Commits of the window that change a file.'),
      oldest: oid.nullable(),
      blobs: count.describe('Distinct versions of files that are indexed, before and after each change.'),
      new: count.describe('Versions recorded in this run.'),
      reused: count.describe('Versions that had a record.'),
      failed: count.describe('Versions that cannot be read or parsed, or are too large.'),
      bytesAdded: count.describe('Bytes of new records, before git compresses them.'),
    })
    .optional()
    .describe('Records of past commits; only where they were asked for.'),
});

export const dryRunSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
  commit: oid.nullable(),
  files: count,
  blobs: count,
  wouldParse: count,
  sourceBytes: count,
  wouldLoad: count.describe('Blobs that have a record and would only be loaded into a local shard.'),
  skipped: counts,
  estimatedBytes: count,
  estimatedSeconds: count,
  vectors: s
    .object({
      embedder: s.enum(['builtin', 'ollama', 'openai']),
      model: s.string(),
      profile: s.string(),
      endpoint: s.string().nullable().describe('Address of the embedder as configured; null for its usual one.'),
      wouldEmbed: count.describe('Chunks that no file and no record has a vector for.'),
      isEstimate: s.boolean().describe('Are there blobs whose chunks are not known yet?'),
    })
    .describe('What would be embedded.'),
});

export type IndexReport = Omit<s.Infer<typeof indexReportSchema>, 'schemaVersion'>;
export type DryRun = Omit<s.Infer<typeof dryRunSchema>, 'schemaVersion'>;
