/** Adds our entry to the configuration of one client, or removes it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify, TomlError } from 'smol-toml';
import { isSocraticodeError } from '../../base/errors.js';
import { commandText } from '../../params/param.js';
import {
  type ConfigFile,
  changeConfig,
  type Data,
  endingOf,
  equal,
  type Format,
  jsonFormat,
  plain,
  readConfig,
  refusal,
} from '../foreign-config.js';
import type { Launch } from './answer.js';
import {
  allowedIn,
  CLIENT_TABLE,
  type Client,
  type ClientId,
  claudeState,
  commandOf,
  type Entry,
  entryOf,
  type Machine,
  type McpInstallReport,
  type Scope,
  type ServerArguments,
  startsUs,
  withoutAllowed,
} from './clients.js';

export interface InstallRequest {
  action: 'install' | 'uninstall';
  /** Empty for clients found in the project, or for `uninstall`, all clients with our entry. */
  clients: readonly ClientId[];
  scope: Scope;
  /** Work tree of the repository; null with scope `user`, and with `print` outside of a repository. */
  root: string | null;
  /** Work tree of the current directory; null outside of a repository. */
  here: string | null;
  name: string;
  server: ServerArguments;
  /** Replaces or removes an entry of our name, whatever program it starts. */
  force: boolean;
  dryRun: boolean;
  print: boolean;
  machine: Machine;
  /** This program's script and its Node. */
  program: string;
  node: string;
}

export type Change = McpInstallReport['clients'][number];
type Outcome = Pick<Change, 'change'> & Partial<Change>;

const MAX_STATE_BYTES = 64 << 20;

/** Reports a file that cannot be changed as `refuse`, with the reason. */
export async function changeClient(client: ClientId, request: InstallRequest, launch: Launch): Promise<Change> {
  const { title, project, user, next } = CLIENT_TABLE[client];
  const { action, scope, name, machine } = request;
  const entry = entriesOf(client, request, launch);
  const config = new ClientConfig(CLIENT_TABLE[client], name, entry);
  const paths = scope === 'user' ? user(machine) : project;
  const change: Change = {
    ...{ client, path: paths?.[0] ?? null, change: 'none', reason: null, command: null, existing: null },
    ...{ wanted: action === 'install' ? entry(false) : null, snippet: null, next: null },
  };
  if (paths === null) return byCommand(change, request, launch, entry(false));
  if (paths.length === 0) {
    const there = commandText(`mcp ${action}`, { client, scope: 'user' });
    const reason = `${title} has no configuration of a project`;
    return { ...change, change: 'refuse', reason, next: `For this user: ${there}` };
  }
  if (request.print) return { ...change, snippet: config.snippet(), next: next[scope] ?? null };
  try {
    const { path, file, text } = chooseFile(paths, request, config);
    const apply = action === 'install' ? install : uninstall;
    const outcome = await apply(file, text, config, request);
    const isInstalled = action === 'install' && outcome.change !== 'keep';
    return { ...change, path, ...outcome, next: isInstalled ? (next[scope] ?? null) : null };
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    return { ...change, change: 'refuse', reason: error.message, next: error.hint ?? null };
  }
}

/** Makes our entry for `client`. In a client that allows repositories by path, those of the existing entry stay allowed. */
function entriesOf(client: ClientId, { scope, server, here, program, node }: InstallRequest, launch: Launch) {
  const { anywhere, fullPaths } = CLIENT_TABLE[client];
  const command = fullPaths && launch.kind !== 'npx' ? [node, program] : launch.command;
  const mine = here !== null && anywhere?.includes(scope) ? [here] : [];
  return (nested: boolean, existing?: unknown): Entry => {
    const allowed =
      mine.length === 0 ? [] : [...new Set([...(startsUs(existing) ? allowedIn(existing) : []), ...mine])];
    return entryOf(client, launch, commandOf(client, scope, command, server, allowed), nested);
  };
}

/** Chooses among a client's files: the one with the entry, else the first that exists, else the first. */
function chooseFile(paths: readonly string[], { scope, root }: InstallRequest, config: ClientConfig) {
  const files = paths.map((path) => {
    const inProject = scope === 'project' && root !== null;
    const file: ConfigFile = inProject ? { path: join(root, path), root } : { path, root: null };
    return { path, file, text: readConfig(file) };
  });
  const present = files.filter(({ text }) => text !== null);
  return present.find(({ text }) => config.look(text ?? '').existing !== undefined) ?? present[0] ?? files[0];
}

type Apply = (file: ConfigFile, text: string | null, config: ClientConfig, request: InstallRequest) => Promise<Outcome>;

const install: Apply = async (file, text, config, { force, dryRun }) => {
  const { existing, wanted } = config.look(text ?? '');
  if (equal(existing, wanted)) return { change: 'none', wanted };
  // Our own entry, which allows other repositories than the wanted one: it grows without asking.
  const isWider = startsUs(existing) && equal(withoutAllowed(existing), withoutAllowed(wanted));
  if (existing !== undefined && !isWider && !force) return { change: 'keep', existing, wanted };
  // Throws if the file cannot be edited, so that a dry run says so, too.
  config.add(text ?? '');
  if (!dryRun) await changeConfig(file, (now) => config.add(now ?? ''));
  return { change: existing !== undefined && !isWider ? 'replace' : text === null ? 'create' : 'add', wanted };
};

const uninstall: Apply = async (file, text, config, { force, dryRun }) => {
  const { existing } = config.look(text ?? '');
  if (text === null || existing === undefined) return { change: 'none' };
  if (!startsUs(existing) && !force) return { change: 'keep', existing };
  const after = config.remove(text);
  if (!dryRun) await changeConfig(file, (now) => (now === null ? null : config.remove(now)));
  return { change: after === null ? 'delete' : 'remove' };
};

/** Report for a user's servers of Claude Code. It names that program's own command, since running sessions rewrite the file. */
function byCommand(change: Change, request: InstallRequest, launch: Launch, wanted: Entry): Change {
  const { action, scope, name, server, machine, print } = request;
  const remove = ['claude', 'mcp', 'remove', '--scope', 'user', name];
  const existing = print ? undefined : serverInState(machine, name);
  if (action === 'uninstall') {
    if (existing === undefined) return change;
    return startsUs(existing)
      ? { ...change, change: 'command', command: remove }
      : { ...change, change: 'keep', existing };
  }
  if (existing === undefined) {
    const line = commandOf(change.client, scope, launch.command, server);
    return { ...change, change: 'command', command: ['claude', 'mcp', 'add', '--scope', 'user', name, '--', ...line] };
  }
  return equal(existing, wanted) ? change : { ...change, change: 'keep', existing, command: remove };
}

/** Undefined if the client's state has no such server or cannot be read: its format is not documented. */
function serverInState(machine: Machine, name: string): unknown {
  try {
    const path = claudeState(machine);
    if (statSync(path).size > MAX_STATE_BYTES) return undefined;
    const { mcpServers = {} } = JSON.parse(readFileSync(path, 'utf8')) as { mcpServers?: Record<string, Entry> };
    if (!Object.hasOwn(mcpServers, name)) return undefined;
    const { env, ...entry } = mcpServers[name];
    return env === undefined || equal(env, {}) ? entry : { ...entry, env };
  } catch {
    return undefined;
  }
}

// One client's configuration as text, with and without our entry. Formats edit the text; it is read again after each edit, and an edit that
// changed anything but our entry is refused.

export class ClientConfig {
  private readonly format: Format;

  /** `entry` replaces `existing`; `nested` selects the client's newer shape. */
  constructor(
    client: Client,
    private readonly name: string,
    private readonly entry: (nested: boolean, existing?: unknown) => Entry,
  ) {
    this.format = client.format === 'json' ? jsonFormat(client, name) : tomlFormat(client, name);
  }

  /** Entry of our name (undefined if none), and the entry that `add` writes. Throws BAD_CONFIG. */
  look(text: string): { existing: unknown; wanted: Entry } {
    const { data, path } = this.format.read(withoutMark(text));
    const existing = this.entryIn(serversIn(data, path));
    return { existing, wanted: this.entry(path.length > 1, existing) };
  }

  snippet(): string {
    return this.format.snippet(this.entry(false));
  }

  /** Text with our entry, which replaces another of that name. Throws BAD_CONFIG. */
  add(text: string): string {
    return this.put(text, this.look(text).wanted);
  }

  /** Text without the entry of our name, as before `add`; null if `add` made the file. Throws BAD_CONFIG. */
  remove(text: string): string | null {
    const { existing } = this.look(text);
    if (existing === undefined) return text;
    const entry = existing as Entry;
    if (text === this.format.create(entry)) return null;
    const rest = withoutMark(text);
    // The likely text is right if adding the entry to it gives the file as it is.
    const { certain, likely } = this.format.without(rest);
    const result = likely !== null && this.undoes(likely, rest, entry) ? likely : certain;
    const { data: expected, path } = this.format.read(rest);
    const { data: after } = this.format.read(result);
    // The data without the entry is what the edited text has to say; an empty section may have gone with it.
    const servers = serversIn(expected, path);
    delete servers[this.name];
    if (Object.keys(servers).length === 0 && !(path[0] in after)) delete expected[path[0]];
    if (!equal(after, expected)) throw unsafe();
    return markOf(text) + result;
  }

  private put(text: string, entry: Entry): string {
    const rest = withoutMark(text);
    if (rest.trim() === '') return markOf(text) + this.format.create(entry);
    const { data: expected, path } = this.format.read(rest);
    const servers = serversIn(expected, path);
    if (equal(this.entryIn(servers), entry)) return text;
    servers[this.name] = entry;
    const after = this.format.put(rest, entry);
    if (!this.says(after, expected)) throw unsafe();
    return markOf(text) + after;
  }

  private entryIn(servers: Data): unknown {
    return Object.hasOwn(servers, this.name) ? servers[this.name] : undefined;
  }

  /** Does adding the entry to `before` give this text? */
  private undoes(before: string, text: string, entry: Entry): boolean {
    try {
      return this.put(before, entry) === text;
    } catch {
      return false;
    }
  }

  /** Is the text readable, with exactly this data? */
  private says(text: string, expected: Data): boolean {
    try {
      return equal(this.format.read(text).data, expected);
    } catch {
      return false;
    }
  }
}

/** Object of servers, created within `data` if missing. */
function serversIn(data: Data, path: readonly string[]): Data {
  return path.reduce((object, key) => {
    object[key] ??= {};
    return object[key] as Data;
  }, data);
}

const unsafe = () => refusal('it cannot be edited safely in the form it has');

/** Byte order mark of Windows editors. No parser accepts it, and every edit keeps it. */
const markOf = (text: string): string => (text.startsWith('\ufeff') ? '\ufeff' : '');
const withoutMark = (text: string): string => text.slice(markOf(text).length);

// Edits Codex's configuration. No maintained library edits TOML and keeps its comments, so the only edits add a table at the end of the
// file, and remove it.

/** Our table: its name, and a pattern for its header and those of its subtables. */
interface Table {
  name: string;
  header: RegExp;
}

function tomlFormat({ section }: Client, name: string): Format {
  const key = `(?:${name}|"${name}"|'${name}')`;
  const table: Table = {
    name: `[${section}.${name}]`,
    header: new RegExp(`^\\s*\\[\\s*${section}\\s*\\.\\s*${key}\\s*(?:\\.[^\\]]*)?\\]\\s*(?:#.*)?$`),
  };
  const write = (entry: Entry) => stringify({ [section]: { [name]: entry } }).trim();
  const create = (entry: Entry) => `${write(entry)}\n`;
  return {
    read: (text) => ({ data: read(text, section), path: [section] }),
    snippet: create,
    create,
    put(text, entry) {
      const eol = endingOf(text);
      const block = write(entry).replaceAll('\n', eol);
      if (Object.hasOwn((read(text, section)[section] ?? {}) as Data, name)) {
        const { before, ours, after } = linesOf(text, table);
        const ending = ours.at(-1)?.endsWith('\r') ? '\r' : '';
        return [...before, block + ending, ...after].join('\n');
      }
      // The table ends in a line break if the file did, so that `without` can restore the end.
      return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
    },
    without(text) {
      const { before, after } = linesOf(text, table);
      const retained = before.at(-1)?.trim() === '' ? before.slice(0, -1) : before;
      const last = (retained.at(-1) ?? '').replace(/\r$/, '');
      return { certain: [...retained, ...after].join('\n'), likely: [...retained.slice(0, -1), last].join('\n') };
    },
  };
}

/**
 * Lines of our table and the tables below it, and the lines around them. Throws BAD_CONFIG if the entry is no table of
 * its own. A header within a multi-line string also matches; the caller finds that out when it reads its edit again.
 */
function linesOf(text: string, { name, header }: Table): { before: string[]; ours: string[]; after: string[] } {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => header.test(line));
  if (start < 0) throw refusal(`the entry is written in another form than ${name}`);
  let end = start + 1;
  for (let at = end; at < lines.length; at++) {
    if (/^\s*\[/.test(lines[at]) && !header.test(lines[at])) break;
    // Comments and empty lines at the end belong to the next table.
    if (!/^\s*(#.*)?$/.test(lines[at])) end = at + 1;
  }
  return { before: lines.slice(0, start), ours: lines.slice(start, end), after: lines.slice(end) };
}

function read(text: string, section: string): Data {
  let data: Data;
  try {
    data = plain(parse(text, { integersAsBigInt: 'asNeeded' })) as Data;
  } catch (error) {
    const where = error instanceof TomlError ? ` at line ${error.line}, column ${error.column}` : '';
    throw refusal(`it is no valid TOML${where}`, error);
  }
  const servers = data[section] ?? {};
  if (typeof servers !== 'object' || Array.isArray(servers)) throw refusal(`"${section}" is not a table`);
  return data;
}
