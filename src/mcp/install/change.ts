/** What is done for one client. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import type { McpInstallReport } from '../../engine/contract.js';
import { CLIENT_TABLE, type ClientId, claudeState, type Machine, type Scope } from './clients.js';
import { type ConfigText, equal } from './config.js';
import { commandOf, type Entry, entryOf, type ServerArguments, startsUs } from './entry.js';
import { JsonConfig } from './json-config.js';
import type { Launch } from './launch.js';
import { changePlace, type Place, readPlace } from './place.js';
import { TomlConfig } from './toml-config.js';

export interface InstallRequest {
  action: 'install' | 'uninstall';
  /** None: those found in the project; for `uninstall`, all that have our entry. */
  clients: readonly ClientId[];
  scope: Scope;
  /** Work tree of the repository; null with scope `user`, and where there is none and nothing is written. */
  root: string | null;
  name: string;
  server: ServerArguments;
  /** Replaces, or takes out, whatever has our name. */
  force: boolean;
  dryRun: boolean;
  print: boolean;
  machine: Machine;
  /** This program's own script and Node. */
  program: string;
  node: string;
}

export type Change = McpInstallReport['clients'][number];

interface Target {
  place: Place;
  text: string | null;
}

const MAX_STATE_BYTES = 64 << 20;

/** Whatever keeps a file from being changed is part of the result. */
export async function changeClient(client: ClientId, request: InstallRequest, launch: Launch): Promise<Change> {
  const { format, project, user, next } = CLIENT_TABLE[client];
  const { scope, name, server, machine } = request;
  const line = commandOf(client, scope, launch, server);
  const entry = (nested: boolean) => entryOf(client, launch, line, nested);
  const config =
    format === 'json'
      ? new JsonConfig(CLIENT_TABLE[client], name, entry)
      : new TomlConfig(CLIENT_TABLE[client], name, () => entry(false));
  const paths = scope === 'user' ? user(machine) : project;
  const change: Change = {
    ...{ client, path: paths?.[0] ?? null, change: 'none', reason: null, command: null, existing: null },
    ...{ wanted: request.action === 'install' ? entry(false) : null, snippet: null, next: null },
  };
  if (paths === null) return byCommand(change, request, line, config);
  if (request.print) return { ...change, snippet: config.snippet(entry(false)), next: next[scope] ?? null };
  try {
    const places = paths.map((path) => placeOf(path, request));
    const target = chooseTarget(places, config);
    const told = scope === 'user' ? target.place.path : paths[places.indexOf(target.place)];
    const done =
      request.action === 'install' ? await install(target, config, request) : await uninstall(target, config, request);
    return {
      ...change,
      path: told,
      ...done,
      next: request.action === 'install' && done.change !== 'keep' ? (next[scope] ?? null) : null,
    };
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    return { ...change, change: 'refuse', reason: error.message };
  }
}

function placeOf(path: string, { scope, root }: InstallRequest): Place {
  return scope === 'project' && root !== null ? { path: join(root, path), root } : { path, root: null };
}

/** Of several files that a client reads: the one that has the entry, else the first that is there. */
function chooseTarget(places: readonly Place[], config: ConfigText): Target {
  const there = places.map((place) => ({ place, text: readPlace(place) })).filter(({ text }) => text !== null);
  const having = there.find(({ text }) => config.look(text ?? '').existing !== undefined);
  return having ?? there[0] ?? { place: places[0], text: null };
}

type Outcome = Pick<Change, 'change'> & Partial<Change>;

async function install({ place, text }: Target, config: ConfigText, request: InstallRequest): Promise<Outcome> {
  const { existing, wanted } = config.look(text ?? '');
  if (equal(existing, wanted)) return { change: 'none', wanted };
  if (existing !== undefined && !request.force) return { change: 'keep', existing, wanted };
  const after = config.add(text ?? '');
  if (!request.dryRun && after !== text) await changePlace(place, (now) => config.add(now ?? ''));
  return { change: existing !== undefined ? 'replace' : text === null ? 'create' : 'add', wanted };
}

async function uninstall({ place, text }: Target, config: ConfigText, request: InstallRequest): Promise<Outcome> {
  const { existing } = config.look(text ?? '');
  if (text === null || existing === undefined) return { change: 'none' };
  if (!startsUs(existing) && !request.force) return { change: 'keep', existing };
  const after = config.remove(text);
  if (!request.dryRun) await changePlace(place, (now) => (now === null ? null : config.remove(now)));
  return { change: after === null ? 'delete' : 'remove' };
}

/** Claude Code's servers of a user: its own command changes them; its file is only looked at. */
function byCommand(change: Change, request: InstallRequest, line: readonly string[], config: ConfigText): Change {
  const { action, name, machine, print } = request;
  const add = ['claude', 'mcp', 'add', '--scope', 'user', name, '--', ...line];
  const remove = ['claude', 'mcp', 'remove', '--scope', 'user', name];
  const existing = print ? undefined : serverInState(machine, name);
  if (action === 'uninstall') {
    if (existing === undefined) return change;
    return startsUs(existing)
      ? { ...change, change: 'command', command: remove }
      : { ...change, change: 'keep', existing };
  }
  if (existing === undefined) return { ...change, change: 'command', command: add };
  const { wanted } = config.look('');
  return equal(existing, wanted) ? change : { ...change, change: 'keep', existing, command: remove };
}

/** Undefined where there is none, or no telling: it is the client's own state, of which only this much is known. */
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
