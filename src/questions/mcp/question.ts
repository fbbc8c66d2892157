/**
 * `mcp`: serves coding agents; the command line runs the server, since the protocol is a layer above questions. `mcp install` and `mcp
 * uninstall` edit our server's entry in the configurations of coding agents.
 */
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { choice, commandText, flag, integer, list, text, type Values } from '../../params/param.js';
import { defineQuestion, type Example, NO_DOCUMENT, TOOLSETS, type Toolset } from '../question.js';
import { CLIENTS, type McpInstallReport, mcpInstallReportSchema } from './clients.js';

const clientList = (summary: string) => list({ summary, choices: CLIENTS, cli: { value: 'name...' } });

const shared = {
  client: clientList('agents to configure; if left out, every agent that the project is set up for'),
  scope: choice(['project', 'user'], {
    summary: 'for this project, or for this user',
    default: 'project',
    cli: { value: 'where' },
  }),
  name: text({ summary: 'name of the entry', default: 'socraticode', cli: { value: 'name' } }),
  dryRun: flag({ summary: 'say what would be done; write nothing' }),
} as const;

const installParams = {
  ...shared,
  toolsets: text({ summary: 'toolsets that the server offers', cli: { value: 'names' } }),
  readOnly: flag({ summary: 'leave out tools that write to the index or delete' }),
  force: flag({ summary: 'replace an entry of that name that differs' }),
  print: flag({ summary: 'print the entry for each file; write nothing' }),
} as const;

// Hidden options are accepted, so that the command that installed can be edited into the one that uninstalls.
const uninstallParams = {
  ...shared,
  client: clientList('agents to remove it from; if left out, every one that has the entry'),
  toolsets: text({ summary: 'ignored', cli: { value: 'names', hidden: true } }),
  readOnly: flag({ summary: 'ignored', cli: { hidden: true } }),
  force: flag({ summary: 'remove an entry of that name whatever it starts' }),
} as const;

export type McpInstallValues = Values<typeof installParams>;

interface ActionForm {
  summary: string;
  params: typeof installParams | typeof uninstallParams;
  examples: readonly Example[];
}

function actionQuestion(action: McpInstallReport['action'], form: ActionForm) {
  const { summary, params, examples } = form;
  const some = ({ clients: changed }: McpInstallReport, ...kinds: McpInstallReport['clients'][number]['change'][]) =>
    changed.some(({ change }) => kinds.includes(change));
  return defineQuestion({
    name: `mcp ${action}`,
    summary,
    effect: 'writes',
    // For `uninstall`, `print` is no parameter and has no value.
    params: params as typeof installParams,
    answer: async () => (await import('./answer.js')).answerMcpInstall[action],
    text: async () => (await import('./answer.js')).mcpInstallText,
    multiline: ['snippet'],
    documents: {
      'mcp-install': {
        schema: mcpInstallReportSchema,
        title: commandText('mcp install|uninstall', { json: true }),
      },
    },
    command: {
      group: 'Agents',
      json: 'print the report as JSON',
      examples,
      withoutSession: true,
      isNegative: (report, values) => !values.print && some(report, 'keep', 'command'),
      isFailed: (report, values) => !values.print && some(report, 'refuse'),
    },
  });
}

export const installation = [
  actionQuestion('install', {
    summary: "add this server to coding agents' configurations",
    params: installParams,
    examples: [
      ['mcp install', 'for the agents that this project is set up for'],
      ['mcp install --client cursor --toolsets all', 'for one agent, with every tool'],
      ['mcp install --scope user --client claude --dry-run', 'what would be done for this user'],
    ],
  }),
  actionQuestion('uninstall', {
    summary: "remove this server from coding agents' configurations",
    params: uninstallParams,
    examples: [
      ['mcp uninstall', "from this project's configurations"],
      ['mcp uninstall --scope user', "from this user's configurations"],
    ],
  }),
];

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

// Names of toolsets, on the command line and in the configuration of clients.

const ALL = 'all';
const DEFAULT: readonly Toolset[] = ['core'];

/** `core,graph` or `all`, in the order of the table. Throws BAD_ARGUMENT for an unknown name. */
export function parseToolsets(text: string | undefined): readonly Toolset[] {
  if (text === undefined) return DEFAULT;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => name !== ALL && !(TOOLSETS as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', `there is no toolset "${unknown}"`, {
      hint: `Toolsets: ${TOOLSETS.join(', ')}, or ${ALL}; with commas between.`,
    });
  return TOOLSETS.filter((toolset) => names.includes(ALL) || names.includes(toolset));
}

/**
 * Warns of variables that are set and not read here; `doctor` and `config` know which settings were chosen since. It stands here because
 * a server answers its first message before it loads any answer.
 */
export async function warnOfUnread(env: NodeJS.ProcessEnv): Promise<void> {
  const { unreadLines, unreadVariables } = await import('../../config/resolve.js');
  for (const line of unreadLines(unreadVariables(env))) log.print('warn', line);
}
