/** `index` for people; `codebase_index`, `codebase_update` and `codebase_stop` for agents, whose server indexes in the background. */

import { commandText } from '../../params/command-line.js';
import { flag, integer, text, type Values } from '../../params/param.js';
import { defineQuestion, type ToolForm } from '../question.js';
import { committedRef, REF } from '../shared-params.js';
import { gaps } from './gaps.js';
import type { DryRun, IndexReport } from './output.js';
import { dryRunSchema, indexReportSchema } from './output.js';
import { indexingSchema, stopReportSchema } from './server/output.js';
import { vectorFailure } from './vector-failure.js';

const params = {
  ref: committedRef,
  dryRun: flag({ summary: 'say what would be done and what it would cost; write nothing' }),
  pull: flag({ summary: 'download a missing model to Ollama first' }),
  history: text({
    summary: 'also record the versions of files in the newest N commits, or in those since a date: 500, 2w, 2024-05-31',
    minLength: 1,
    maxLength: 64,
    cli: { value: 'N|date' },
  }),
  jobs: integer({ summary: 'parser processes at a time', min: 1, max: 64, defaultText: 'the setting jobs' }),
  requireComplete: flag({
    summary: 'exit with 1 unless every file that the rules select is indexed, parsed, and has its vectors',
  }),
} as const;

export type IndexValues = Values<typeof params>;

const index = defineQuestion<typeof params, IndexReport | DryRun>({
  name: 'index',
  summary: 'index the files of a ref that are not indexed yet',
  effect: 'writes',
  openWorld: true,
  params,
  answer: async () => (await import('./answer.js')).answerIndex,
  text: async () => (await import('./text.js')).indexText,
  documents: {
    index: { schema: indexReportSchema },
    'dry-run': { schema: dryRunSchema, title: commandText('index', { dryRun: true, json: true }) },
  },
  command: {
    group: 'Index',
    json: 'print the report as JSON',
    examples: [
      ['index', 'index what HEAD holds'],
      ['index --dry-run', 'what that would cost'],
      ['index --ref v1.2', 'index a release'],
      ['index --history 1y', 'so that questions about the last year parse nothing'],
      ['index --require-complete', 'fail a CI job if anything is missing'],
    ],
    withoutSession: true,
    isNegative: (document, { requireComplete }) => requireComplete === true && gaps(document) !== '',
    failure: vectorFailure,
  },
});

const serverParams = {
  ref: committedRef,
  extraExtensions: text({ summary: 'file extensions to look for, with commas between', cli: false }),
} as const;

export type ServerIndexValues = Values<typeof serverParams>;
type IndexTool = Pick<ToolForm<typeof serverParams>, 'name' | 'title' | 'description'>;

/** The two tools differ in how long they wait. */
function indexTool(wait: 'moment' | 'long', tool: IndexTool) {
  return defineQuestion({
    name: 'index',
    summary: 'index in the background',
    effect: 'writes',
    params: serverParams,
    answer: async () => (await import('./server/answer.js')).answerServerIndex[wait],
    text: async () => (await import('./server/text.js')).indexingText,
    documents: {
      indexing: {
        schema: indexingSchema,
        title: 'MCP: codebase_index and codebase_update',
      },
    },
    tool: {
      ...tool,
      toolset: 'admin',
      params: { ref: REF, extraExtensions: 'E.g. .tpl,.inc' },
      reply: ['projectPath'],
      maxTokens: 1_000,
    },
  });
}

const stop = defineQuestion({
  name: 'index',
  summary: 'stop indexing in the background',
  effect: 'writes',
  params: {},
  answer: async () => (await import('./server/answer.js')).answerStop,
  text: async () => (await import('./server/text.js')).stopText,
  documents: { stop: { schema: stopReportSchema } },
  tool: {
    name: 'codebase_stop',
    title: 'Stop indexing',
    toolset: 'admin',
    description: 'Stops what this server indexes; finished work is kept.',
    params: {},
    reply: ['projectPath'],
    maxTokens: 500,
  },
});

export const questions = [
  index,
  indexTool('moment', {
    name: 'codebase_index',
    title: 'Begin indexing',
    description:
      'Begins to index in the background; again: says how far it is. Questions index by themselves what they lack.',
  }),
  indexTool('long', {
    name: 'codebase_update',
    title: 'Bring the index up to date',
    description: 'Indexes what is new, waits up to 50 s for it, and reports.',
  }),
  stop,
];
