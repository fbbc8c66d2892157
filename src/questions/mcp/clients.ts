/** Table of the coding agents: files with their MCP servers, and the shape of an entry; and the document of `mcp install`. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import * as s from '../../params/shape.js';
import type { Launch } from './answer.js';

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
  /** Key of the object that holds servers by name. */
  section: string;
  /** Keys of that object in the client's newer format, used if the file has it already. */
  nested?: readonly string[];
  /** Other members of a new file. */
  otherMembers?: Readonly<Record<string, string>>;
  /** Files of a project; install creates the first if none exists. Empty for a client with files of users only. */
  project: readonly string[];
  /** Other files in a project which show that the client is used there. */
  signs: readonly string[];
  /** Files of a user; null if only the client's own command may change them. */
  user: (machine: Machine) => readonly string[] | null;
  /** Files which show that this user has the client. */
  traces: (machine: Machine) => readonly string[];
  /** Variable for the open folder in its configuration, by scope. */
  folder: Partial<Record<Scope, string>>;
  /** Scopes in which the client may start servers in any directory: the entry then allows this repository by its path. */
  anywhere?: readonly Scope[];
  /** The client's PATH differs from a shell's, so the entry has the full paths of Node and of our script. */
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

/** Claude Code's file of state, which holds the user's servers as well. */
export const claudeState = ({ env, home }: Machine): string => join(named(env.CLAUDE_CONFIG_DIR, home), '.claude.json');

/** Folder of the user's settings for graphical programs. */
function settingsFolder(machine: Machine): string {
  const { env, home, platform } = machine;
  if (platform === 'darwin') return join(home, 'Library', 'Application Support');
  if (platform === 'win32') return named(env.APPDATA, join(home, 'AppData', 'Roaming'));
  return xdgConfig(machine);
}

const vscodeUser = (machine: Machine): string => join(settingsFolder(machine), 'Code', 'User');
const desktopFolder = (machine: Machine): string => join(settingsFolder(machine), 'Claude');
const copilotHome = ({ env, home }: Machine): string => named(env.COPILOT_HOME, join(home, '.copilot'));

/** Folder of Zed, which reads ~/.config on macOS and Linux. */
function zedFolder(machine: Machine): string {
  if (machine.platform === 'win32') return join(settingsFolder(machine), 'Zed');
  return join(machine.platform === 'darwin' ? join(machine.home, '.config') : xdgConfig(machine), 'zed');
}

/** Files of Cline: the one that all its programs read since 2026, and the VS Code extension's older one. */
function clineFiles(machine: Machine): string[] {
  const shared = join(named(machine.env.CLINE_DIR, join(machine.home, '.cline')), 'data');
  const extension = join(vscodeUser(machine), 'globalStorage', 'saoudrizwan.claude-dev');
  return [shared, extension].map((folder) => join(folder, 'settings', 'cline_mcp_settings.json'));
}

export const CLIENT_TABLE: Readonly<Record<ClientId, Client>> = {
  claude: {
    ...{ title: 'Claude Code', format: 'json', section: 'mcpServers' },
    ...{ project: ['.mcp.json'], signs: ['.claude'], folder: {} },
    // Running sessions rewrite the whole file, so our edit would be lost or damage it.
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
    // opencode adds a missing $schema. We write it last, which marks a file that install created.
    otherMembers: { $schema: 'https://opencode.ai/config.json' },
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
    // It also reads .mcp.json, but entries of that file have Claude Code's form.
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

export type Entry = Readonly<Record<string, unknown>>;

export interface ServerArguments {
  toolsets?: string;
  readOnly?: boolean;
}

/** Timeout for a start by npx, which fetches the package first. Defaults of clients are too short for that. */
const FETCH_SECONDS = 60;

/** Command with which `client` starts the server. `allowed`: repositories that it may ask about, as directories. */
export function commandOf(
  client: ClientId,
  scope: Scope,
  command: readonly string[],
  server: ServerArguments,
  allowed: readonly string[] = [],
): readonly string[] {
  const folder = CLIENT_TABLE[client].folder[scope];
  return [
    ...command,
    ...(folder === undefined ? [] : ['-C', folder]),
    'mcp',
    ...(server.toolsets === undefined ? [] : ['--toolsets', server.toolsets]),
    ...(server.readOnly ? ['--read-only'] : []),
    ...(allowed.length === 0 ? [] : [ALLOW, ...allowed]),
  ];
}

const ALLOW = '--allow';

/** Directories that an entry allows: values of its last option, as `commandOf` writes it. */
export function allowedIn(entry: unknown): readonly string[] {
  const args = (entry as { args?: unknown } | undefined)?.args;
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return [];
  const at = args.indexOf(ALLOW);
  return at < 0 || args.slice(at + 1).some((arg) => arg.startsWith('-')) ? [] : args.slice(at + 1);
}

/** An entry without its allowed directories. */
export function withoutAllowed(entry: unknown): unknown {
  const count = allowedIn(entry).length;
  if (count === 0) return entry;
  const { args, ...rest } = entry as { args: readonly string[] };
  return { ...rest, args: args.slice(0, -count - 1) };
}

/** Our entry for `client`; `nested` selects the client's newer shape. */
export function entryOf(client: ClientId, launch: Launch, line: readonly string[], nested = false): Entry {
  const [command, ...args] = line;
  const fetched = launch.kind === 'npx';
  switch (client) {
    case 'opencode':
      if (nested) return { type: 'local', command: line };
      return { type: 'local', command: line, enabled: true, ...(fetched && { timeout: FETCH_SECONDS * 1000 }) };
    case 'codex':
      return { command, args, ...(fetched && { startup_timeout_sec: FETCH_SECONDS }) };
    case 'copilot':
      return { type: 'local', command, args, tools: ['*'] };
    case 'zed':
      return { command, args, env: {} };
    case 'gemini':
    case 'claude-desktop':
    case 'windsurf':
    case 'cline':
    case 'jetbrains':
      return { command, args };
    default:
      return { type: 'stdio', command, args };
  }
}

/** True for an entry that starts this program; another program's entry may have the same name. */
export function startsUs(entry: unknown): boolean {
  const { command, args } = (entry ?? {}) as { command?: unknown; args?: unknown };
  const words = [command, args].flat().filter((word): word is string => typeof word === 'string');
  const ours = words.some((word) => /(^|[\\/])(git-socraticode(@[^\\/]*|\.cmd|\.exe)?|cli[\\/]main\.js)$/.test(word));
  const byGit = /(^|[\\/])git(\.exe)?$/.test(words[0] ?? '') && words.includes('socraticode');
  return words.includes('mcp') && (ours || byGit);
}

const words = s.array(s.string());

export const mcpInstallReportSchema = s.object({
  schemaVersion: s.literal(1),
  action: s.enum(['install', 'uninstall']),
  scope: s.enum(['project', 'user']),
  name: s.string().describe('Of the entry.'),
  written: s.boolean().describe('False with `dryRun` and `print`, and where nothing had to change.'),
  launch: s.object({
    kind: s
      .enum(['path', 'npx', 'local', 'node'])
      .describe('Found on PATH; fetched by npx; installed in the project; a checkout, by its path on this machine.'),
    command: words.describe('What comes before the arguments.'),
  }),
  clients: s.array(
    s.object({
      client: s.enum(CLIENTS),
      path: s
        .string()
        .nullable()
        .describe('Relative to the work tree for a project; null where the client has a command.'),
      change: s
        .enum(['create', 'add', 'replace', 'remove', 'delete', 'none', 'keep', 'refuse', 'command'])
        .describe('Keep: another entry of that name. Refuse: see `reason`. Command: the user has to run it.'),
      reason: s.string().nullable().describe('Why a file is left as it is.'),
      command: words.nullable().describe('What to run instead.'),
      existing: s.unknown().describe('With `keep`: the entry that stands there; else null.'),
      wanted: s.unknown().describe('The entry that belongs there; null for `uninstall`.'),
      snippet: s.string().nullable().describe('With `print`: what to add to the file.'),
      next: s.string().nullable().describe('What the user has to know or do then.'),
    }),
  ),
  alsoHere: words.describe('Where no client was named: further ones that this user seems to have.'),
});

export type McpInstallReport = s.Infer<typeof mcpInstallReportSchema>;
