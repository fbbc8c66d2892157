/** Document of `codebase_watch`. */
import * as s from '../../../params/shape.js';
import { indexingSchema } from '../../index/server/output.js';

export const watchReportSchema = s.object({
  schemaVersion: s.literal(1),
  action: s.enum(['start', 'stop', 'status']),
  watches: s.boolean().describe('Changes are noticed by themselves; without that, git is asked with every question.'),
  watcher: s.integer().nullable().describe('Another process that keeps this work tree ready.'),
  reason: s.string().nullable().describe('Why nothing can be watched.'),
  indexing: indexingSchema.nullable().describe('With start: catching up with what is there now.'),
});

export type WatchReport = s.Infer<typeof watchReportSchema>;
