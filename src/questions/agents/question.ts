/** `agents install|status|uninstall`: instructions for coding agents, in the files that their hosts read. */
import { commandText, flag, list, type Values } from '../../params/param.js';
import * as s from '../../params/shape.js';
import { defineQuestion, type Example, NO_DOCUMENT } from '../question.js';

const agentsReportSchema = s.object({
  schemaVersion: s.literal(1),
  action: s.enum(['install', 'status', 'uninstall']),
  written: s.boolean().describe('False with `dryRun`, for `status`, and where nothing had to change.'),
  files: s.array(
    s.object({
      host: s.enum(['agents', 'claude', 'copilot', 'gemini', 'cursor']),
      path: s.string().describe('From the top of the work tree.'),
      kind: s
        .enum(['section', 'file', 'hook'])
        .describe('A marked section in a file of others, a file that is ours alone, or a hook in settings.'),
      change: s
        .enum(['create', 'add', 'replace', 'remove', 'delete', 'none', 'keep', 'refuse'])
        .describe('`keep`: a file of that name is not ours. `refuse`: see `reason`.'),
      isInstalled: s.boolean().describe('Before the change.'),
      isCurrent: s.boolean().describe('It has the text of this version.'),
      reason: s.string().nullable(),
    }),
  ),
});

export type AgentsReport = s.Infer<typeof agentsReportSchema>;
export type AgentsFile = AgentsReport['files'][number];

const hosts = ['agents', 'claude', 'copilot', 'gemini', 'cursor'] as const;

const clients = (summary: string) => list({ summary, choices: hosts, cli: { value: 'name...' } });
const client = clients('agents to write for; if left out, every one that the project is set up for, else AGENTS.md');
const dryRun = flag({ summary: 'say what would be done; write nothing' });
const hooks = flag({
  summary: 'add a hook to the settings of Claude Code, too: it names the symbols around finds of other searches',
});
const params = { client, dryRun, hooks } as const;
const PARAMS_OF = {
  install: params,
  status: { client: clients('agents whose files are looked at; if left out, all') },
  uninstall: { client: clients('agents whose files are cleaned; if left out, all'), dryRun },
};

export type AgentsValues = Values<typeof params>;

function actionQuestion(
  action: AgentsReport['action'],
  { summary, examples }: { summary: string; examples: readonly Example[] },
) {
  return defineQuestion<typeof params, AgentsReport>({
    name: `agents ${action}`,
    summary,
    effect: action === 'status' ? 'reads' : 'writes',
    params: PARAMS_OF[action] as typeof params,
    answer: async () => (await import('./answer.js')).answerAgents[action],
    text: async () => (await import('./answer.js')).agentsText,
    documents: {
      agents: {
        schema: agentsReportSchema,
        title: commandText('agents install|status|uninstall', { json: true }),
      },
    },
    command: {
      group: 'Agents',
      json: 'print the report as JSON',
      examples,
      isNegative: ({ files }) =>
        action === 'status'
          ? files.every(({ isInstalled }) => !isInstalled)
          : files.some(({ change }) => change === 'keep'),
      isFailed: ({ files }) => files.length > 0 && files.every(({ change }) => change === 'refuse'),
    },
  });
}

const annotate = defineQuestion({
  ...NO_DOCUMENT,
  name: 'agents annotate',
  summary: "add the symbols around what an agent's own search found: a hook of Claude Code, JSON on stdin",
  effect: 'reads',
  params: {},
  command: {
    group: 'Agents',
    hidden: true,
    json: false,
    examples: [
      ['agents annotate < event.json', 'what the hook adds to a search; nothing where anything is missing'],
      ['agents annotate < /dev/null', 'nothing'],
    ],
    withoutSession: true,
    stream: { when: () => true, load: async () => (await import('./annotate.js')).streamAnnotate },
  },
});

export const questions = [
  actionQuestion('install', {
    summary: 'tell coding agents in their own files when to use git-socraticode',
    examples: [
      ['agents install --dry-run', 'what would be written'],
      ['agents install', 'for the hosts that this project is set up for'],
      ['agents install --client claude', 'a section in CLAUDE.md, and a skill'],
      ['agents install --client claude --hooks --dry-run', 'which hook would be added to which settings'],
    ],
  }),
  actionQuestion('status', {
    summary: 'list the files that tell agents about git-socraticode; exits with 1 if there are none',
    examples: [
      ['agents status', 'what is installed, and whether it is current'],
      ['agents status --client cursor', 'for one host'],
    ],
  }),
  actionQuestion('uninstall', {
    summary: 'remove exactly what agents install added',
    examples: [
      ['agents uninstall', 'from all files'],
      ['agents uninstall --client gemini --dry-run', 'what would be removed from one'],
    ],
  }),
  annotate,
];
