/** Which coding agents there are, where each keeps its servers and in which shape (data). */
import { homedir } from 'node:os';
import { join } from 'node:path';

export const CLIENTS = ['claude', 'cursor', 'vscode', 'codex', 'gemini', 'opencode'] as const;
export type ClientId = (typeof CLIENTS)[number];
export const SCOPES = ['project', 'user'] as const;
export type Scope = (typeof SCOPES)[number];

/** Where a user's files are; given by tests, else of this process. */
export interface Machine {
  home: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

export const thisMachine = (env: NodeJS.ProcessEnv = process.env): Machine => ({
  ...{ home: homedir(), env, platform: process.platform },
});

export interface Client {
  title: string;
  format: 'json' | 'toml';
  /** The object of the file that holds servers by name. */
  section: string;
  /** Another place that newer configurations may use instead; only where it is there already. */
  nested?: readonly string[];
  /** Members a new file gets besides. */
  besides?: Readonly<Record<string, string>>;
  /** Files of a project; the first is made where none is there. */
  project: readonly string[];
  /** Further signs, in a project, that the client is used there. */
  signs: readonly string[];
  /** Files of a user, or null where the client's own command has to be used. */
  user: (machine: Machine) => readonly string[] | null;
  /** Signs that this user has the client. */
  traces: (machine: Machine) => readonly string[];
  /** What its configuration understands as the open folder, by scope. */
  folder: Partial<Record<Scope, string>>;
  /** What the user has to know after installing, by scope. */
  next: Partial<Record<Scope, string>>;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: the clients put the folder in.
const WORKSPACE = '${workspaceFolder}';

const named = (value: string | undefined, otherwise: string): string =>
  value === undefined || value === '' ? otherwise : value;

const xdgConfig = ({ env, home }: Machine): string => named(env.XDG_CONFIG_HOME, join(home, '.config'));
const codexHome = ({ env, home }: Machine): string => named(env.CODEX_HOME, join(home, '.codex'));

/** Where Claude Code keeps all its state, servers of the user among it. */
export const claudeState = ({ env, home }: Machine): string => join(named(env.CLAUDE_CONFIG_DIR, home), '.claude.json');

function vscodeUser(machine: Machine): string {
  const { env, home, platform } = machine;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', 'Code', 'User');
  if (platform === 'win32') return join(named(env.APPDATA, join(home, 'AppData', 'Roaming')), 'Code', 'User');
  return join(xdgConfig(machine), 'Code', 'User');
}

export const CLIENT_TABLE: Readonly<Record<ClientId, Client>> = {
  claude: {
    ...{ title: 'Claude Code', format: 'json', section: 'mcpServers' },
    ...{ project: ['.mcp.json'], signs: ['.claude'], folder: {} },
    // Its running sessions rewrite the whole file: what another program writes there gets lost, or damages it.
    user: () => null,
    traces: (machine) => [claudeState(machine), join(machine.home, '.claude')],
    next: { project: 'Claude Code asks once whether servers of this project may run.' },
  },
  cursor: {
    ...{ title: 'Cursor', format: 'json', section: 'mcpServers' },
    ...{ project: ['.cursor/mcp.json'], signs: ['.cursor'] },
    user: ({ home }) => [join(home, '.cursor', 'mcp.json')],
    traces: ({ home }) => [join(home, '.cursor')],
    // It starts servers of the user in the home directory.
    folder: { project: WORKSPACE, user: WORKSPACE },
    next: {},
  },
  vscode: {
    ...{ title: 'VS Code', format: 'json', section: 'servers' },
    ...{ project: ['.vscode/mcp.json'], signs: ['.vscode'] },
    user: (machine) => [join(vscodeUser(machine), 'mcp.json')],
    traces: (machine) => [vscodeUser(machine)],
    // In the user's file the variable stands for nothing, and the server does not start.
    folder: { project: WORKSPACE },
    next: { user: 'This is the default profile; other profiles of VS Code have a file of their own.' },
  },
  codex: {
    ...{ title: 'Codex', format: 'toml', section: 'mcp_servers' },
    ...{ project: ['.codex/config.toml'], signs: ['.codex'], folder: {} },
    user: (machine) => [join(codexHome(machine), 'config.toml')],
    traces: (machine) => [codexHome(machine)],
    next: { project: 'Codex reads this file in projects that you trust.' },
  },
  gemini: {
    ...{ title: 'Gemini CLI', format: 'json', section: 'mcpServers' },
    ...{ project: ['.gemini/settings.json'], signs: ['.gemini'], folder: {} },
    user: ({ home }) => [join(home, '.gemini', 'settings.json')],
    traces: ({ home }) => [join(home, '.gemini')],
    next: { project: 'Gemini CLI reads this file in folders that you trust.' },
  },
  opencode: {
    ...{ title: 'opencode', format: 'json', section: 'mcp', nested: ['mcp', 'servers'] },
    // Without it opencode writes it there itself. Last, so that a file made here differs from one that was there.
    besides: { $schema: 'https://opencode.ai/config.json' },
    ...{ project: ['opencode.json', 'opencode.jsonc'], signs: ['.opencode'], folder: {} },
    user: (machine) => ['opencode.json', 'opencode.jsonc'].map((name) => join(xdgConfig(machine), 'opencode', name)),
    traces: (machine) => [join(xdgConfig(machine), 'opencode')],
    next: {},
  },
};
