/** Table of the coding agents: the files that hold their MCP servers, and the shape of an entry. */
import { homedir } from 'node:os';
import { join } from 'node:path';

export const CLIENTS = [
  ...(['claude', 'cursor', 'vscode', 'codex', 'gemini', 'opencode'] as const),
  ...(['claude-desktop', 'windsurf', 'zed', 'cline', 'copilot', 'jetbrains'] as const),
] as const;
export type ClientId = (typeof CLIENTS)[number];
export type Scope = 'project' | 'user';

/** Home directory, environment and platform that locate a user's files. */
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
  /** Keys of the newer place of that object; used only if the file has it already. */
  nested?: readonly string[];
  /** Further members of a new file. */
  besides?: Readonly<Record<string, string>>;
  /** Files of a project; install creates the first if none exists. Empty for a client that has only the user's. */
  project: readonly string[];
  /** Further signs, in a project, that the client is used there. */
  signs: readonly string[];
  /** Files of a user; null if only the client's own command may change them. */
  user: (machine: Machine) => readonly string[] | null;
  /** Signs that this user has the client. */
  traces: (machine: Machine) => readonly string[];
  /** Variable of its configuration for the open folder, by scope. */
  folder: Partial<Record<Scope, string>>;
  /** Scopes in which the client may start servers anywhere: the entry then allows this repository by its path. */
  anywhere?: readonly Scope[];
  /** The client has another PATH than a shell, so the entry has the full paths of Node and of our script. */
  fullPaths?: boolean;
  /** Note for the user after installing, by scope. */
  next: Partial<Record<Scope, string>>;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of the clients, not of ours.
const WORKSPACE = '${workspaceFolder}';

const named = (value: string | undefined, otherwise: string): string =>
  value === undefined || value === '' ? otherwise : value;

const xdgConfig = ({ env, home }: Machine): string => named(env.XDG_CONFIG_HOME, join(home, '.config'));
const codexHome = ({ env, home }: Machine): string => named(env.CODEX_HOME, join(home, '.codex'));

/** File of Claude Code's whole state, servers of the user included. */
export const claudeState = ({ env, home }: Machine): string => join(named(env.CLAUDE_CONFIG_DIR, home), '.claude.json');

/** Folder in which programs with windows keep the user's settings. */
function settingsFolder(machine: Machine): string {
  const { env, home, platform } = machine;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return named(env.APPDATA, join(home, 'AppData', 'Roaming'));
  return xdgConfig(machine);
}

const vscodeUser = (machine: Machine): string => join(settingsFolder(machine), 'Code', 'User');
const desktopFolder = (machine: Machine): string => join(settingsFolder(machine), 'Claude');
const copilotHome = ({ env, home }: Machine): string => named(env.COPILOT_HOME, join(home, '.copilot'));

/** Zed on macOS reads ~/.config, as on Linux. */
function zedFolder(machine: Machine): string {
  if (machine.platform === 'win32') return join(settingsFolder(machine), 'Zed');
  return join(machine.platform === 'darwin' ? join(machine.home, '.config') : xdgConfig(machine), 'zed');
}

/** The file that all of Cline's programs read since 2026, and the one of the extension in VS Code before. */
function clineFiles(machine: Machine): string[] {
  const shared = join(named(machine.env.CLINE_DIR, join(machine.home, '.cline')), 'data');
  const extension = join(vscodeUser(machine), 'globalStorage', 'saoudrizwan.claude-dev');
  return [shared, extension].map((folder) => join(folder, 'settings', 'cline_mcp_settings.json'));
}

export const CLIENT_TABLE: Readonly<Record<ClientId, Client>> = {
  claude: {
    ...{ title: 'Claude Code', format: 'json', section: 'mcpServers' },
    ...{ project: ['.mcp.json'], signs: ['.claude'], folder: {} },
    // Running sessions rewrite the whole file, so an edit of ours would be lost or damage it.
    user: () => null,
    traces: (machine) => [claudeState(machine), join(machine.home, '.claude')],
    next: { project: 'Claude Code asks once whether servers of this project may run.' },
  },
  cursor: {
    ...{ title: 'Cursor', format: 'json', section: 'mcpServers' },
    ...{ project: ['.cursor/mcp.json'], signs: ['.cursor'] },
    user: ({ home }) => [join(home, '.cursor', 'mcp.json')],
    traces: ({ home }) => [join(home, '.cursor')],
    // Cursor starts a user's servers in the home directory, so both scopes name the folder.
    folder: { project: WORKSPACE, user: WORKSPACE },
    next: {},
  },
  vscode: {
    ...{ title: 'VS Code', format: 'json', section: 'servers' },
    ...{ project: ['.vscode/mcp.json'], signs: ['.vscode'] },
    user: (machine) => [join(vscodeUser(machine), 'mcp.json')],
    traces: (machine) => [vscodeUser(machine)],
    // VS Code does not expand the variable in the user's file, and the server would not start.
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
    // opencode adds a missing $schema itself. We write it last, which marks a file as created by install.
    besides: { $schema: 'https://opencode.ai/config.json' },
    ...{ project: ['opencode.json', 'opencode.jsonc'], signs: ['.opencode'], folder: {} },
    user: (machine) => ['opencode.json', 'opencode.jsonc'].map((name) => join(xdgConfig(machine), 'opencode', name)),
    traces: (machine) => [join(xdgConfig(machine), 'opencode')],
    next: {},
  },
  'claude-desktop': {
    ...{ title: 'Claude Desktop', format: 'json', section: 'mcpServers' },
    ...{ project: [], signs: [], folder: {}, anywhere: ['user'], fullPaths: true },
    user: (machine) => [join(desktopFolder(machine), 'claude_desktop_config.json')],
    traces: (machine) => [desktopFolder(machine)],
    next: { user: 'Quit Claude Desktop and open it again: closing its window is not enough.' },
  },
  windsurf: {
    ...{ title: 'Windsurf', format: 'json', section: 'mcpServers' },
    ...{ project: [], signs: [], folder: {}, anywhere: ['user'] },
    user: ({ home }) => [join(home, '.codeium', 'windsurf', 'mcp_config.json')],
    traces: ({ home }) => [join(home, '.codeium', 'windsurf')],
    next: {},
  },
  zed: {
    ...{ title: 'Zed', format: 'json', section: 'context_servers' },
    ...{ project: ['.zed/settings.json'], signs: ['.zed'], folder: {} },
    user: (machine) => [join(zedFolder(machine), 'settings.json')],
    traces: (machine) => [zedFolder(machine)],
    next: { project: 'Zed reads this file in folders that you trust.' },
  },
  cline: {
    ...{ title: 'Cline', format: 'json', section: 'mcpServers' },
    ...{ project: [], signs: [], folder: {}, anywhere: ['user'] },
    user: clineFiles,
    traces: (machine) => clineFiles(machine).map((file) => join(file, '..')),
    next: {},
  },
  copilot: {
    ...{ title: 'GitHub Copilot CLI', format: 'json', section: 'mcpServers' },
    // It reads .mcp.json too, but that file is Claude Code's, whose entries have another form.
    ...{ project: ['.github/mcp.json'], signs: [], folder: {} },
    user: (machine) => [join(copilotHome(machine), 'mcp-config.json')],
    traces: (machine) => [copilotHome(machine)],
    next: { project: 'Copilot CLI reads this file in folders that you trust.' },
  },
  jetbrains: {
    ...{ title: 'JetBrains Junie', format: 'json', section: 'mcpServers' },
    ...{ project: ['.junie/mcp/mcp.json'], signs: ['.junie'], folder: {}, anywhere: ['user'] },
    user: ({ home }) => [join(home, '.junie', 'mcp', 'mcp.json')],
    traces: ({ home }) => [join(home, '.junie')],
    next: {
      project: `This file is Junie's. For AI Assistant, paste the entry in Settings | Tools | AI Assistant | MCP.`,
      user: `This file is Junie's. For AI Assistant, paste the entry in Settings | Tools | AI Assistant | MCP.`,
    },
  },
};
