/** Documents of indexing by a server: a run, and stopping it. */
import { z } from 'zod';
import { count, faultSchema, oid } from '../../output-parts.js';
import { indexReportSchema } from '../output.js';

const extension = z.strictObject({
  extension: z.string(),
  files: count.describe('Files with it that are indexed.'),
  languages: z.array(z.string()).describe('As what; empty: as plain text.'),
});

export const indexingSchema = z.strictObject({
  schemaVersion: z.literal(1),
  ref: z.string(),
  commit: oid.nullable(),
  state: z.enum(['done', 'running', 'failed']),
  progress: z
    .strictObject({ phase: z.string(), done: count, total: count.nullable().describe('null as long as not known.') })
    .nullable()
    .describe('Of a run that goes on.'),
  report: indexReportSchema.omit({ schemaVersion: true }).nullable().describe('Of a run that is done.'),
  error: faultSchema.nullable().describe('Of a run that failed.'),
  extensions: z.array(extension).optional().describe('What extraExtensions come to here.'),
});

export const stopReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  stopped: z.boolean().describe('Something was being indexed, or waited for it.'),
  writer: z.number().int().nullable().describe('Another process that is writing the index; it is left alone.'),
});

export type Indexing = z.infer<typeof indexingSchema>;
export type StopReport = z.infer<typeof stopReportSchema>;
