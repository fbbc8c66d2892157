/** Document of `status`. */
import { z } from 'zod';
import { count, counts, faultSchema, oid } from '../output-parts.js';

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
  compiler: z
    .strictObject({ present: count, ref: z.string(), commit: oid.nullable(), records: count, packedBytes: count })
    .nullable()
    .describe('Blobs of the snapshot that a compiler told about, and where that is kept; null where none has.'),
  knowledge: z
    .array(
      z.strictObject({
        kind: z.string(),
        shared: count.describe('Entries that pushes send.'),
        own: count.describe('Entries that stay in this clone.'),
        sets: count.describe('Refs that hold them: each task has one of its own.'),
      }),
    )
    .optional()
    .describe('What people and agents have written, by kind; absent where there is nothing.'),
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
    indexReason: z.string().nullable().describe('Why the setting vectors.index=hnsw has no effect here.'),
    fault: faultSchema.nullable().describe('With vectors missing: why the embedder cannot make them.'),
  }),
  dirty: count,
  branch: z.string().nullable(),
  remotes: z.array(z.string()),
  hook: z.strictObject({ installed: z.boolean(), path: z.string() }),
  writer: z.number().int().nullable().describe('Process that is indexing now.'),
  notice: z.string().nullable().describe('Records here that this installation cannot use, if it has none that it can.'),
  next: z.array(z.string()).describe('What to type next.'),
});

export type StatusReport = z.infer<typeof statusSchema>;
