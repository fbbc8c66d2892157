/** The state here, as agents and people look it up: settings in effect, profiles, repositories, and what the server is. */
import { flag, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion } from '../question.js';
import { count, LINK_STATES, oid } from '../shared-output.js';
import { committedRef } from '../shared-params.js';

export const configReportSchema = s.object({
  schemaVersion: s.literal(1),
  values: s.array(s.object({ key: s.string(), value: s.unknown(), origin: s.string() })),
  unread: s
    .array(
      s.object({
        name: s.string(),
        instead: s.string().describe('A command that sets the same here, or why there is nothing to set.'),
      }),
    )
    .optional()
    .describe('Variables of SocratiCode that are set and not read; absent for none.'),
});

export type ConfigReport = s.Infer<typeof configReportSchema>;

const params = {
  showOrigin: flag({ summary: 'print where each value comes from' }),
  ref: { ...committedRef, summary: 'settings of this ref instead of the work tree', defaultText: undefined },
} as const;

export type ConfigValues = Values<typeof params>;

const config = defineQuestion({
  name: 'config',
  summary: 'print the settings in effect',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerConfig,
  text: async () => (await import('./answer.js')).configText,
  documents: { config: { schema: configReportSchema } },
  command: {
    readOnly: true,
    group: 'Maintain',
    json: 'print values and origins as JSON',
    examples: [
      ['config --show-origin', 'which file or setting of git each value comes from'],
      ['config --ref v1.2', 'the settings that a release had'],
    ],
  },
});

export const profilesReportSchema = s.object({
  schemaVersion: s.literal(1),
  profiles: s.array(
    s.object({
      kind: s.string().describe('`syntax`, `vectors` or `compiler`.'),
      profile: s.string(),
      use: s
        .enum(['current', 'readable', 'newer', 'older', 'other', 'unknown'])
        .describe(
          'What this installation makes of it: writes and reads it; reads it under other settings; was written by a newer or an older version; by another one; nobody says.',
        ),
      about: s
        .record(s.unknown())
        .nullable()
        .describe(
          'What the profile stands for, as its writer said; null if nobody said, or something that cannot be true.',
        ),
      places: s.array(
        s.object({
          where: s.enum(['notes', 'remote', 'tree', 'shards']),
          name: s.string().describe('Ref, `<tree>:.socraticode/…`, or directory.'),
          records: count.nullable().describe('Null where counting would mean reading everything.'),
          bytes: count.describe('Of the records as they are stored, or of the files.'),
          date: s.string().nullable().describe('Of the newest commit, ISO 8601.'),
        }),
      ),
    }),
  ),
  notice: s.string().nullable().describe('Records that this installation cannot use, and what to do about it.'),
});

export type ProfilesReport = Omit<s.Infer<typeof profilesReportSchema>, 'schemaVersion'>;

const profiles = defineQuestion({
  name: 'profiles',
  summary:
    'list the profiles known here: every version and setting that changes records has one; say where the records are, and which are in use',
  effect: 'reads',
  params: {},
  answer: async () => (await import('./answer.js')).answerProfiles,
  text: async () => (await import('./answer.js')).profilesText,
  documents: { profiles: { schema: profilesReportSchema } },
  command: {
    group: 'Maintain',
    json: 'print the report as JSON',
    examples: [
      ['profiles', 'which records are here, and which are in use'],
      ['profiles --json', 'also what each profile stands for'],
    ],
  },
});

const projectSchema = s.object({
  name: s.string(),
  path: s.string().describe('Absolute where it is known; else as it was named.'),
  relation: s
    .enum(['this', 'worktree', 'submodule', 'linked', 'open', 'known'])
    .describe('open: only the server has it open. known: this user indexed it once.'),
  state: s.enum([...(['indexed', 'partial', 'unborn'] as const), ...LINK_STATES]),
  branch: s.string().nullable(),
  commit: oid.nullable(),
  coverage: s.object({ covered: count, total: count }).nullable(),
  reason: s.string().nullable().describe('Why it is not used, and what to do about it.'),
});

const projectsSchema = s.object({
  schemaVersion: s.literal(1),
  projects: s.array(projectSchema),
  leftOut: count.describe('Work trees and known repositories that are not listed.'),
});

export type ProjectsReport = s.Infer<typeof projectsSchema>;
export type ProjectEntry = s.Infer<typeof projectSchema>;

const projects = defineQuestion({
  name: 'projects',
  summary: 'list this repository, its work trees, submodules and linked repositories',
  effect: 'reads',
  params: {},
  answer: async () => (await import('./answer.js')).answerProjects,
  text: async () => (await import('./answer.js')).projectsText,
  documents: { projects: { schema: projectsSchema } },
  tool: {
    name: 'codebase_list_projects',
    title: 'List projects',
    toolset: 'admin',
    description:
      'Lists this repository, its work trees, submodules and linked repositories, what else is open, and what this user indexed.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 2_000,
  },
});

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

const about = defineQuestion({
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

export const questions = [config, profiles, projects, about];
