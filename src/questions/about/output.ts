/** Document of `codebase_about`. */
import { z } from 'zod';
import { count } from '../output-parts.js';

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

export type About = z.infer<typeof aboutSchema>;
