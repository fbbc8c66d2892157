/** `doctor` for people, `codebase_health` for agents: checks of the installation and of a repository. */
import { flag, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';

export const doctorSchema = s.object({
  schemaVersion: s.literal(1),
  ok: s.boolean().describe('Nothing needs attention.'),
  repository: s.string().nullable().describe('Null where there is none, or none that can be opened.'),
  online: s.boolean().describe('The remote and the embedder were asked.'),
  checks: s.array(
    s.object({
      group: s.enum(['program', 'repository', 'configuration', 'index', 'sharing', 'hooks', 'locks', 'storage']),
      name: s.string().describe('Of the check, a setting, a ref or a hook.'),
      ok: s.boolean(),
      detail: s.string(),
      hint: s.string().nullable().describe('What to do; null where nothing need be done.'),
      facts: s
        .record(s.union([s.string(), s.number(), s.boolean(), s.null()]))
        .describe('What was found, for programs: versions, counts, bytes, paths.'),
    }),
  ),
});

export type DoctorReport = s.Infer<typeof doctorSchema>;

const healthSchema = s.object({
  schemaVersion: s.literal(1),
  ok: s.boolean().describe('Nothing needs attention.'),
  checks: s.array(
    s.object({
      name: s.enum([
        ...(['node', 'git', 'configuration', 'parser', 'grammars', 'vectors', 'embedder', 'disk', 'locks'] as const),
        ...(['index', 'hooks'] as const),
      ]),
      ok: s.boolean(),
      detail: s.string(),
      hint: s.string().nullable().describe('What to do; null where nothing need be done.'),
    }),
  ),
});

export type HealthReport = s.Infer<typeof healthSchema>;
export type HealthCheck = HealthReport['checks'][number];

const params = { online: flag({ summary: 'ask the remote and the embedder, too' }) } as const;

export type DoctorValues = Values<typeof params>;

const doctor = defineQuestion({
  name: 'doctor',
  summary: 'check the program, the settings, hooks, locks and the index here, and say what to do; writes nothing',
  effect: 'reads',
  openWorld: true,
  params,
  answer: async () => (await import('./answer.js')).answerDoctor,
  text: async () => (await import('./answer.js')).doctorText,
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
  answer: async () => (await import('./answer.js')).answerHealth,
  text: async () => (await import('./answer.js')).healthText,
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
