/** `status` and `codebase_status`: how much of a ref is indexed, and which files are not. The tool tells of the server's own work, too. */
import { SocraticodeError } from '../../base/errors.js';
import { commandText } from '../../params/command-line.js';
import { flag, integer, list, text, type Values } from '../../params/param.js';
import type { Asker } from '../asker.js';
import { explainSchema } from '../explain/output.js';
import { defineQuestion } from '../question.js';
import { committedRef, MAX_GRAPH_LIMIT, REF } from '../shared-params.js';
import type { LeftOutResponse } from './left-out/output.js';
import { leftOutSchema } from './left-out/output.js';
import type { StatusReport } from './output.js';
import { statusSchema } from './output.js';
import type { PorcelainStatus } from './porcelain/output.js';
import { porcelainSchema } from './porcelain/output.js';
import { serverStatusSchema } from './server/output.js';

/** Value of `--left-out` without a path: the top of the repository. */
const ALL = '.';

const LEFT_OUT_TITLE = commandText('status', { leftOut: true, json: true });
const PORCELAIN_TITLE = commandText('status', { porcelain: true, json: true });

const params = {
  ref: committedRef,
  leftOut: text({
    summary: 'list the files that are not indexed, all or below a folder, by the rule that leaves them out',
    completes: 'path',
    cli: { value: 'path', bare: ALL },
  }),
  porcelain: flag({ summary: 'print a few facts as lines that no later version changes, for prompts and scripts' }),
  limit: integer({
    summary: 'files listed of each rule',
    min: 1,
    max: MAX_GRAPH_LIMIT,
    defaultText: '10',
    cli: { short: '-n', value: 'n' },
  }),
} as const;

type StatusValues = Values<typeof params>;

/** Each form loads what it needs alone: a prompt waits for the shortest. Throws BAD_ARGUMENT for two forms at once. */
async function answerForm(at: Asker, { ref, leftOut, porcelain, limit }: StatusValues) {
  if (leftOut === undefined && porcelain)
    return (await import('./porcelain/answer.js')).answerPorcelain(at.session, ref);
  if (leftOut === undefined) return (await import('./answer.js')).readStatus(at.session, ref);
  if (!porcelain) return (await import('./left-out/answer.js')).answerLeftOut(at, { ref, below: leftOut, limit });
  const hint = `Programs read the files as JSON: ${LEFT_OUT_TITLE}`;
  throw new SocraticodeError('BAD_ARGUMENT', 'the porcelain form lists no files', { hint });
}

const status = defineQuestion<typeof params, StatusReport | LeftOutResponse | PorcelainStatus>({
  name: 'status',
  summary: 'say what is indexed, which files are left out and why, and what to type next',
  effect: 'reads',
  params,
  answer: async () => answerForm,
  text: async () => (await import('./text.js')).statusText,
  documents: {
    status: { schema: statusSchema },
    'left-out': { schema: leftOutSchema, title: LEFT_OUT_TITLE },
    'status-porcelain': { schema: porcelainSchema, title: PORCELAIN_TITLE },
  },
  command: {
    group: 'Index',
    examples: [
      ['status', 'how much of HEAD is indexed'],
      ['status --ref v1.2', 'how much of a release is indexed'],
      ['status --left-out src', 'which files below src are not indexed, and why'],
      ['status --porcelain', 'the same few lines in every version, for a shell prompt'],
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
  documents: { 'server-status': { schema: serverStatusSchema }, explain: { schema: explainSchema } },
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
