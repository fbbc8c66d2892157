/** `doctor` for people, `codebase_health` for agents: checks of the installation and of a repository. */
import { flag, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { healthSchema } from './health/output.js';
import { doctorSchema } from './output.js';

const params = { online: flag({ summary: 'ask the remote and the embedder, too' }) } as const;

export type DoctorValues = Values<typeof params>;

const doctor = defineQuestion({
  name: 'doctor',
  summary: 'check the program, the settings, hooks, locks and the index here, and say what to do; writes nothing',
  effect: 'reads',
  openWorld: true,
  params,
  answer: async () => (await import('./answer.js')).answerDoctor,
  text: async () => (await import('./text.js')).doctorText,
  documents: { doctor: { schema: doctorSchema } },
  command: {
    group: 'Maintain',
    json: 'print the report as JSON',
    examples: [
      ['doctor', 'what needs attention, and what to do about it'],
      ['doctor --online', 'also whether the remote and the embedder answer'],
    ],
    withoutSession: true,
    isNegative: ({ ok }) => !ok,
  },
});

const health = defineQuestion({
  name: 'doctor',
  summary: 'check what the index needs',
  effect: 'reads',
  openWorld: true,
  params: {},
  answer: async () => (await import('./health/answer.js')).answerHealth,
  text: async () => (await import('./health/text.js')).healthText,
  documents: { health: { schema: healthSchema } },
  tool: {
    name: 'codebase_health',
    title: 'Health check',
    toolset: 'admin',
    description: 'Checks what the index needs: git, native modules, embedder, disk, locks, hooks.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 1_500,
  },
});

export const questions = [doctor, health];
