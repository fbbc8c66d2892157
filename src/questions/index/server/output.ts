/** Documents of a server's own jobs: indexing, stopping, watching, what it is. */
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

export const watchReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  action: z.enum(['start', 'stop', 'status']),
  watches: z.boolean().describe('Changes are noticed by themselves; without that, git is asked with every question.'),
  watcher: z.number().int().nullable().describe('Another process that keeps this work tree ready.'),
  reason: z.string().nullable().describe('Why nothing can be watched.'),
  indexing: indexingSchema.nullable().describe('With start: catching up with what is there now.'),
});

export const aboutSchema = z.strictObject({
  schemaVersion: z.literal(1),
  version: z.string(),
  licence: z.string(),
  toolsets: z.array(z.strictObject({ name: z.string(), tools: z.array(z.string()) })),
  embedder: z.strictObject({ name: z.string(), model: z.string(), dimensions: count.nullable() }),
  limits: z.record(z.string(), count),
  storage: z.record(z.string(), z.string()).describe('Place to what is kept there.'),
  documentation: z.array(z.string()),
});

export type Indexing = z.infer<typeof indexingSchema>;
export type StopReport = z.infer<typeof stopReportSchema>;
export type WatchReport = z.infer<typeof watchReportSchema>;
export type About = z.infer<typeof aboutSchema>;
