/** Document of `status`. */
import * as s from '../../params/shape.js';
import { count, counts, faultSchema, oid } from '../output-parts.js';

export const statusSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
  commit: oid.nullable(),
  profile: s.string(),
  coverage: s.object({ covered: count, total: count }),
  records: s.object({ present: count, missing: count }).describe('Blobs of the snapshot with and without a record.'),
  chunks: count,
  skipped: counts,
  degraded: counts,
  languages: counts.describe('Files by language.'),
  grammars: s.object({ available: s.array(s.string()), missing: s.array(s.string()) }),
  notes: s.object({ ref: s.string(), commit: oid.nullable(), records: count, packedBytes: count }),
  compiler: s
    .object({ present: count, ref: s.string(), commit: oid.nullable(), records: count, packedBytes: count })
    .nullable()
    .describe('Blobs of the snapshot that a compiler told about, and where that is kept; null where none has.'),
  knowledge: s
    .array(
      s.object({
        kind: s.string(),
        shared: count.describe('Entries that pushes send.'),
        own: count.describe('Entries that stay in this clone.'),
        sets: count.describe('Refs that hold them: each task has one of its own.'),
      }),
    )
    .optional()
    .describe('What people and agents have written, by kind; absent where there is nothing.'),
  shards: s.object({ directory: s.string(), count, bytes: count, documents: count }),
  vectors: s.object({
    embedder: s.enum(['builtin', 'ollama', 'openai']),
    model: s.string(),
    dimensions: count.nullable().describe("Numbers per vector; null until a model's first answer has told."),
    profile: s.string(),
    covered: count.describe('Chunks of the snapshot that have a vector.'),
    total: count,
    bytes: count.describe('Of the vector files of this profile, graphs included.'),
    notes: s
      .object({ ref: s.string(), commit: oid.nullable(), records: count, packedBytes: count })
      .nullable()
      .describe('Where vectors are kept for others; null if this configuration shares none.'),
    endpoint: s.string().nullable().describe('Address of the embedder as configured; null for its usual one.'),
    engine: s.enum(['usearch', 'javascript']).describe('What compares vectors.'),
    engineReason: s.string().nullable().describe('Why it is not usearch.'),
    indexReason: s.string().nullable().describe('Why the setting vectors.index=hnsw has no effect here.'),
    fault: faultSchema.nullable().describe('With vectors missing: why the embedder cannot make them.'),
  }),
  dirty: count,
  branch: s.string().nullable(),
  remotes: s.array(s.string()),
  hook: s.object({ installed: s.boolean(), path: s.string() }),
  writer: s.integer().nullable().describe('Process that is indexing now.'),
  notice: s.string().nullable().describe('Records here that this installation cannot use, if it has none that it can.'),
  next: s.array(s.string()).describe('What to type next.'),
});

export type StatusReport = s.Infer<typeof statusSchema>;
