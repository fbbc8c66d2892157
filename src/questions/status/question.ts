/** `status` and `codebase_status`: how much of a ref is indexed. The tool tells of the server's own work, too. */
import type { Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { committedRef, REF } from '../shared-params.js';

const params = { ref: committedRef } as const;

export type StatusValues = Values<typeof params>;

const status = defineQuestion({
  name: 'status',
  summary: 'say what is indexed, what is not and why, and what to type next',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerStatus,
  text: async () => (await import('./text.js')).statusText,
  documents: async () => ({ status: { schema: (await import('./output.js')).statusSchema } }),
  command: {
    group: 'Index',
    examples: [
      ['status', 'how much of HEAD is indexed'],
      ['status --ref v1.2', 'how much of a release is indexed'],
    ],
  },
});

const serverStatus = defineQuestion({
  name: 'status',
  summary: 'how much is indexed, what is not and why, what a server does now',
  effect: 'reads',
  params,
  answer: async () => (await import('./server/answer.js')).answerServerStatus,
  text: async () => (await import('./server/text.js')).serverStatusText,
  documents: async () => ({ 'server-status': { schema: (await import('./server/output.js')).serverStatusSchema } }),
  tool: {
    name: 'codebase_status',
    title: 'Index status',
    toolset: 'core',
    description: 'How much is indexed, what is not and why, what runs now.',
    params: { ref: REF },
    reply: ['projectPath'],
    maxTokens: 2_000,
  },
});

export const questions = [status, serverStatus];
