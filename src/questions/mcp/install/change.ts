/** Adds our entry to the configuration of one client, or removes it. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSocraticodeError } from '../../../base/errors.js';
import { commandText } from '../../../params/command-line.js';
import { CLIENT_TABLE, type ClientId, claudeState, type Machine, type Scope } from './clients.js';
import { ClientConfig } from './files/config.js';
import {
  allowedIn,
  commandOf,
  type Entry,
  entryOf,
  type ServerArguments,
  startsUs,
  withoutAllowed,
} from './files/entry.js';
import { type ConfigFile, changeConfig, readConfig } from './files/file.js';
import { equal } from './files/format.js';
import type { Launch } from './launch.js';
import type { McpInstallReport } from './output.js';

export interface InstallRequest {
  action: 'install' | 'uninstall';
  /** Empty: those found in the project; for `uninstall`, all that have our entry. */
  clients: readonly ClientId[];
  scope: Scope;
  /** Work tree of the repository; null with scope `user`, and with `print` outside of a repository. */
  root: string | null;
  /** Work tree in which the command was given; null outside of a repository. */
  here: string | null;
  name: string;
  server: ServerArguments;
  /** Replaces or removes an entry of our name whatever it starts. */
  force: boolean;
  dryRun: boolean;
  print: boolean;
  machine: Machine;
  /** This program's own script and Node. */
  program: string;
  node: string;
}

export type Change = McpInstallReport['clients'][number];
type Outcome = Pick<Change, 'change'> & Partial<Change>;

const MAX_STATE_BYTES = 64 << 20;

/** A file that cannot be changed is reported as `refuse`, with the reason. */
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
    const told = action === 'install' && outcome.change !== 'keep';
    return { ...change, path, ...outcome, next: told ? (next[scope] ?? null) : null };
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    return { ...change, change: 'refuse', reason: error.message, next: error.hint ?? null };
  }
}

/** Makes our entry for `client`. In one that allows repositories by path, those of the existing entry stay allowed. */
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

/** Of several files that a client reads: the one that has the entry, else the first that exists, else the first. */
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
  const isWider = startsUs(existing) && equal(withoutAllowed(existing), withoutAllowed(wanted));
  if (existing !== undefined && !isWider && !force) return { change: 'keep', existing, wanted };
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

/** Claude Code's servers of a user: its running sessions rewrite their file, so the report names its own command. */
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

/** Undefined if the client's state has no such server, or cannot be read: its form is not documented. */
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
