/** Document of `codebase_watch`. */
import { z } from 'zod';
import { indexingSchema } from '../../index/server/output.js';

export const watchReportSchema = z.strictObject({
  schemaVersion: z.literal(1),
  action: z.enum(['start', 'stop', 'status']),
  watches: z.boolean().describe('Changes are noticed by themselves; without that, git is asked with every question.'),
  watcher: z.number().int().nullable().describe('Another process that keeps this work tree ready.'),
  reason: z.string().nullable().describe('Why nothing can be watched.'),
  indexing: indexingSchema.nullable().describe('With start: catching up with what is there now.'),
});

export type WatchReport = z.infer<typeof watchReportSchema>;
