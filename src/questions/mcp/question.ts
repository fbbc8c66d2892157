/** `mcp`: serves coding agents. The command line runs the server, since the protocol is a layer above questions. */
import { flag, integer, list, text, type Values } from '../../params/param.js';
import { defineQuestion, NO_DOCUMENT } from '../question.js';
import { questions as installation } from './install/question.js';

const PORT = '7433';

const params = {
  http: integer({
    summary: 'serve over HTTP on this port of this machine, not over stdin and stdout',
    min: 0,
    max: 65_535,
    defaultText: `port ${PORT}`,
    cli: { value: 'port', bare: PORT },
  }),
  toolsets: text({
    summary: 'core, graph, history, context, docs, knowledge, tasks, admin, or all; with commas between',
    defaultText: 'core',
    cli: { value: 'names' },
  }),
  readOnly: flag({ summary: 'leave out tools that write to the index or delete' }),
  structured: flag({
    summary: 'also send answers as JSON, for programs; many agents would read it in place of the shorter text',
  }),
  allow: list({
    summary: 'further repositories that agents may ask about',
    maxLength: 4_096,
    completes: 'directory',
    cli: { value: 'dir...' },
  }),
} as const;

export type McpValues = Values<typeof params>;

const serve = defineQuestion({
  ...NO_DOCUMENT,
  name: 'mcp',
  summary: 'answer coding agents over the Model Context Protocol',
  effect: 'writes',
  params,
  command: {
    group: 'Agents',
    json: false,
    examples: [
      ['mcp', 'serve a client over stdin and stdout'],
      ['mcp --toolsets all --read-only', 'every tool that only reads'],
      ['mcp --http --allow ../library', 'over HTTP, with a second repository'],
    ],
    isRunByFrontEnd: true,
  },
});

export const questions = [serve, ...installation];
