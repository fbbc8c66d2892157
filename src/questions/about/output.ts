/** Document of `codebase_about`. */
import * as s from '../../params/shape.js';
import { count } from '../output-parts.js';

export const aboutSchema = s.object({
  schemaVersion: s.literal(1),
  version: s.string(),
  licence: s.string(),
  toolsets: s.array(s.object({ name: s.string(), tools: s.array(s.string()) })),
  embedder: s.object({ name: s.string(), model: s.string(), dimensions: count.nullable() }),
  limits: s.record(count),
  storage: s.record(s.string()).describe('Place to what is kept there.'),
  documentation: s.array(s.string()),
});

export type About = s.Infer<typeof aboutSchema>;
