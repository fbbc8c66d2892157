/** `status` and `codebase_status`: how much of a ref is indexed, and which files are not. The tool tells of the server's own work, too. */
import { commandText } from '../../params/command-line.js';
import { integer, list, text, type Values } from '../../params/param.js';
import { defineQuestion } from '../question.js';
import { committedRef, MAX_GRAPH_LIMIT, REF } from '../shared-params.js';
import type { LeftOutResponse } from './left-out/output.js';
import type { StatusReport } from './output.js';

/** Value of `--left-out` without a path: the top of the repository. */
const ALL = '.';

const LEFT_OUT_TITLE = commandText('status', { leftOut: true, json: true });

const params = {
  ref: committedRef,
  leftOut: text({
    summary: 'list the files that are not indexed, all or below a folder, by the rule that leaves them out',
    completes: 'path',
    cli: { value: 'path', bare: ALL },
  }),
  limit: integer({
    summary: 'files listed of each rule',
    min: 1,
    max: MAX_GRAPH_LIMIT,
    defaultText: '10',
    cli: { short: '-n', value: 'n' },
  }),
} as const;

export type StatusValues = Values<typeof params>;

const status = defineQuestion<typeof params, StatusReport | LeftOutResponse>({
  name: 'status',
  summary: 'say what is indexed, which files are left out and why, and what to type next',
  effect: 'reads',
  params,
  answer: async () => (await import('./answer.js')).answerStatus,
  text: async () => (await import('./text.js')).statusText,
  async documents() {
    const [{ statusSchema }, { leftOutSchema }] = await Promise.all([
      import('./output.js'),
      import('./left-out/output.js'),
    ]);
    return { status: { schema: statusSchema }, 'left-out': { schema: leftOutSchema, title: LEFT_OUT_TITLE } };
  },
  command: {
    group: 'Index',
    examples: [
      ['status', 'how much of HEAD is indexed'],
      ['status --ref v1.2', 'how much of a release is indexed'],
      ['status --left-out src', 'which files below src are not indexed, and why'],
    ],
  },
});

const serverParams = {
  ref: committedRef,
  path: list({ summary: 'files to explain: indexed or not, by which rule', maxEntries: 100, minLength: 1 }),
} as const;

export type ServerStatusValues = Values<typeof serverParams>;

const serverStatus = defineQuestion({
  name: 'status',
  summary: 'how much is indexed, which files are left out and why, what the server does now',
  effect: 'reads',
  params: serverParams,
  answer: async () => (await import('./server/answer.js')).answerServerStatus,
  text: async () => (await import('./server/text.js')).serverStatusText,
  async documents() {
    const [{ serverStatusSchema }, { explainSchema }] = await Promise.all([
      import('./server/output.js'),
      import('../explain/output.js'),
    ]);
    return { 'server-status': { schema: serverStatusSchema }, explain: { schema: explainSchema } };
  },
  tool: {
    name: 'codebase_status',
    title: 'Index status',
    toolset: 'core',
    description: 'How much is indexed, what runs now; with path: whether files are, and by which rule not.',
    params: { ref: REF, path: '' },
    reply: ['projectPath'],
    maxTokens: 2_000,
  },
});

export const questions = [status, serverStatus];
