/** The entry of this server in a client's configuration. */
import { CLIENT_TABLE, type ClientId, type Scope } from '../clients.js';
import type { Launch } from '../launch.js';

export type Entry = Readonly<Record<string, unknown>>;

export interface ServerArguments {
  toolsets?: string;
  readOnly?: boolean;
}

/** Start-up timeout for npx, which fetches the package first; that takes longer than the clients' defaults allow. */
const FETCH_SECONDS = 60;

/** Command line with which `client` starts the server; `allowed`: directories of repositories that it may ask about. */
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

/** Directories that an entry allows; its last option, as `commandOf` writes it. */
export function allowedIn(entry: unknown): readonly string[] {
  const args = (entry as { args?: unknown } | undefined)?.args;
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) return [];
  const at = args.indexOf(ALLOW);
  return at < 0 || args.slice(at + 1).some((arg) => arg.startsWith('-')) ? [] : args.slice(at + 1);
}

/** The entry without the directories that it allows. */
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

/** Tells whether an entry starts this program; another program's entry may have the same name. */
export function startsUs(entry: unknown): boolean {
  const { command, args } = (entry ?? {}) as { command?: unknown; args?: unknown };
  const words = [command, args].flat().filter((word): word is string => typeof word === 'string');
  const ours = words.some((word) => /(^|[\\/])(git-socraticode(@[^\\/]*|\.cmd|\.exe)?|cli[\\/]main\.js)$/.test(word));
  const byGit = /(^|[\\/])git(\.exe)?$/.test(words[0] ?? '') && words.includes('socraticode');
  return words.includes('mcp') && (ours || byGit);
}
