/** `codebase_about`: version, toolsets, limits and storage of a server. */
import { defineQuestion } from '../question.js';
import { aboutSchema } from './output.js';

export const question = defineQuestion({
  name: 'about',
  summary: 'version, toolsets, limits, and where things are stored',
  effect: 'reads',
  params: {},
  answer: async () => (await import('./answer.js')).answerAbout,
  text: async () => (await import('./text.js')).aboutText,
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
