/** Documents of indexing by a server: a run, and stopping it. */
import * as s from '../../../params/shape.js';
import { count, faultSchema, oid } from '../../output-parts.js';
import { indexReportSchema } from '../output.js';

const extension = s.object({
  extension: s.string(),
  files: count.describe('Files with it that are indexed.'),
  languages: s.array(s.string()).describe('As what; empty: as plain text.'),
});

export const indexingSchema = s.object({
  schemaVersion: s.literal(1),
  ref: s.string(),
  commit: oid.nullable(),
  state: s.enum(['done', 'running', 'failed']),
  progress: s
    .object({ phase: s.string(), done: count, total: count.nullable().describe('null as long as not known.') })
    .nullable()
    .describe('Of a run that goes on.'),
  report: indexReportSchema.omit('schemaVersion').nullable().describe('Of a run that is done.'),
  error: faultSchema.nullable().describe('Of a run that failed.'),
  extensions: s.array(extension).optional().describe('What extraExtensions come to here.'),
});

export const stopReportSchema = s.object({
  schemaVersion: s.literal(1),
  stopped: s.boolean().describe('Something was being indexed, or waited for it.'),
  writer: s.integer().nullable().describe('Another process that is writing the index; it is left alone.'),
});

export type Indexing = s.Infer<typeof indexingSchema>;
export type StopReport = s.Infer<typeof stopReportSchema>;
