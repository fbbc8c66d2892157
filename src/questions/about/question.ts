/** `codebase_about`: version, toolsets, limits and storage of a server. */
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count } from '../shared-output.js';

const aboutSchema = s.object({
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

export const question = defineQuestion({
  name: 'about',
  summary: 'version, toolsets, limits, and where things are stored',
  effect: 'reads',
  params: {},
  answer: async () => (await import('./answer.js')).answerAbout,
  text: async () => (await import('./answer.js')).aboutText,
  documents: { about: { schema: aboutSchema } },
  tool: {
    name: 'codebase_about',
    title: 'About this server',
    toolset: 'admin',
    description: 'Version, toolsets, limits, and where things are stored.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 1_000,
  },
});
