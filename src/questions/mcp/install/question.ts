/** `mcp install` and `mcp uninstall`: the entry of our server in the configurations of coding agents. */
import { commandText } from '../../../params/command-line.js';
import { choice, flag, list, text, type Values } from '../../../params/param.js';
import { defineQuestion, type Example } from '../../question.js';
import type { McpInstallReport } from './output.js';
import { mcpInstallReportSchema } from './output.js';

const clients = [
  ...(['claude', 'cursor', 'vscode', 'codex', 'gemini', 'opencode'] as const),
  ...(['claude-desktop', 'windsurf', 'zed', 'cline', 'copilot', 'jetbrains'] as const),
] as const;

const clientList = (summary: string) => list({ summary, choices: clients, cli: { value: 'name...' } });

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

// Hidden options are accepted, so that the line that installed can be edited into the one that uninstalls.
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
    // Values of `print` are missing where it is no parameter.
    params: params as typeof installParams,
    answer: async () => (await import('./answer.js')).answerMcpInstall[action],
    text: async () => (await import('./text.js')).mcpInstallText,
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

export const questions = [
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
