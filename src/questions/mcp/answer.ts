/** `mcp install` and `mcp uninstall`: adds our entry to the configurations of coding agents, or removes it. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join, sep } from 'node:path';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { safeJson, shellWord, signs } from '../../base/printable.js';
import { findOnPath, PROGRAM_FILE } from '../../base/processes.js';
import { commandText, optionText } from '../../params/param.js';
import { Session } from '../../session/session.js';
import type { Asker, CommandCaller } from '../asker.js';
import { type Change, changeClient, type InstallRequest } from './client-config.js';
import { CLIENT_TABLE, CLIENTS, type ClientId, type McpInstallReport, type Scope, thisMachine } from './clients.js';
import { type McpInstallValues, parseToolsets } from './question.js';

// Chooses the command with which a client starts this program: the user's own one if it works on other machines, too.

const PROGRAM = 'git-socraticode';

export interface Launch {
  /** Found on PATH; fetched by npx; installed in the project; or a checkout, by its absolute path. */
  kind: 'path' | 'npx' | 'local' | 'node';
  /** Words before our own arguments. */
  command: readonly string[];
}

interface Running {
  /** The running script, symbolic links resolved. */
  program: string;
  /** The running Node. */
  node: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/**
 * Returns `git-socraticode`, never `git socraticode`: if the program is missing, git would run an alias of that name from the repository's
 * configuration.
 */
export function chooseLaunch(running: Running): Launch {
  const { program, platform } = running;
  const parts = program.split(sep);
  const installed = parts.includes('node_modules');
  if (parts.some((part) => part === '_npx' || /^dlx(-|$)/.test(part))) {
    const source = fetchedFrom(program);
    if (source !== null) return { kind: 'npx', command: shelled(platform, ['npx', '-y', source]) };
    return { kind: 'node', command: [nodeName(running), program] };
  }
  const found = findOnPath(PROGRAM, { ...running, accept: isLasting });
  if (found !== null && (installed || realPath(found) === program)) {
    return { kind: 'path', command: shelled(platform, [PROGRAM]) };
  }
  // With `--no`, npx does not fetch a package of this name from the registry if the project loses it.
  if (installed) return { kind: 'local', command: shelled(platform, ['npx', '--no', PROGRAM]) };
  return { kind: 'node', command: [nodeName(running), program] };
}

/** Package that npx fetched: our name, or another source than the registry. Null for a local file. */
function fetchedFrom(program: string): string | null {
  const root = program.slice(0, program.lastIndexOf(`${sep}node_modules${sep}`));
  try {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const source: unknown = dependencies?.[PROGRAM];
    if (typeof source !== 'string' || /^[\^~]?\d/.test(source)) return PROGRAM;
    return source.startsWith('file:') ? null : source;
  } catch {
    return PROGRAM;
  }
}

/** On Windows, starts npm's commands through `cmd`: they are `.cmd` files, which only a shell can run. */
function shelled(platform: NodeJS.Platform, command: readonly string[]): readonly string[] {
  return platform === 'win32' ? ['cmd', '/c', ...command] : command;
}

/** Prefers `node` to a path if PATH finds the same Node, because the name survives updates. */
function nodeName(running: Running): string {
  const found = findOnPath('node', { ...running, accept: isLasting });
  return found !== null && realPath(found) === realPath(running.node) ? 'node' : running.node;
}

/** False for relative directories, and for those that npm adds to PATH while it runs us. */
function isLasting(directory: string): boolean {
  return isAbsolute(directory) && basename(directory) !== '.bin' && !directory.split(sep).includes('_npx');
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Names that all clients accept. The first letter excludes `__proto__`. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

const answerAction =
  (action: McpInstallReport['action']) =>
  async ({ directory, command }: Asker, values: McpInstallValues): Promise<McpInstallReport> => {
    const { scope, name, client = [], toolsets, readOnly, force = false, print = false, dryRun = false } = values;
    parseToolsets(toolsets);
    const here = await workTree(directory, print || scope === 'user');
    return changeClients({
      ...{ action, scope, name, force, print, dryRun, server: { toolsets, readOnly } },
      clients: client as ClientId[],
      root: scope === 'project' ? here : null,
      here,
      machine: thisMachine((command as CommandCaller).io.env),
      program: realpathSync(PROGRAM_FILE),
      node: process.execPath,
    });
  };

export const answerMcpInstall = { install: answerAction('install'), uninstall: answerAction('uninstall') };

/** Null without a work tree, if that is `optional`. Throws NOT_A_REPOSITORY, or BAD_ARGUMENT without a work tree. */
async function workTree(directory: string | undefined, optional: boolean): Promise<string | null> {
  try {
    const session = await Session.open({ directory, readOnly: true });
    const root = session.repository.workTree;
    session.close();
    if (root !== null || optional) return root;
  } catch (error) {
    if (optional && isSocraticodeError(error)) return null;
    throw error;
  }
  throw new SocraticodeError('BAD_ARGUMENT', 'a bare repository has no files of a project', {
    hint: `Install it for this user: ${commandText('mcp install', { scope: 'user', client: 'cursor' })}`,
  });
}

/** Throws BAD_ARGUMENT for a bad name, and if no client is named or found. */
async function changeClients(request: InstallRequest): Promise<McpInstallReport> {
  if (!NAME.test(request.name)) {
    throw new SocraticodeError('BAD_ARGUMENT', `no name for a server: ${request.name}`, {
      hint: 'Letters, digits, - and _, 64 of them at most, a letter first.',
    });
  }
  const { program, node, machine } = request;
  const launch = chooseLaunch({ program, node, env: machine.env, platform: machine.platform });
  const chosen = chooseClients(request);
  const clients: Change[] = [];
  for (const client of chosen) clients.push(await changeClient(client, request, launch));
  const isRequested = request.clients.length > 0 || request.action === 'install';
  const done = new Set<Change['change']>(['create', 'add', 'replace', 'remove', 'delete']);
  return {
    schemaVersion: 1,
    ...{ action: request.action, scope: request.scope, name: request.name },
    written: !request.dryRun && !request.print && clients.some(({ change }) => done.has(change)),
    launch: { kind: launch.kind, command: [...launch.command] },
    clients: isRequested ? clients : clients.filter(({ change }) => change !== 'none'),
    alsoHere: request.clients.length > 0 ? [] : clientsOf(request).filter((client) => !chosen.includes(client)),
  };
}

function chooseClients(request: InstallRequest): readonly ClientId[] {
  const { action, clients, scope, root, print } = request;
  if (clients.length > 0) return CLIENTS.filter((client) => clients.includes(client));
  const possible = CLIENTS.filter((client) => hasScope(client, scope));
  if (action === 'uninstall') return possible;
  const found = root === null ? [] : possible.filter((client) => usedIn(root, client));
  if (found.length > 0) return found;
  if (print) return possible;
  const here = clientsOf(request);
  const seen = here.length === 0 ? '' : `; this user seems to have ${here.join(', ')}`;
  const where = scope === 'user' ? 'no client is named' : 'no client is named, and none is set up in this project';
  const at = scope === 'user' ? { scope } : {};
  throw new SocraticodeError('BAD_ARGUMENT', `${where}${seen}`, {
    hint: `Name one: ${commandText('mcp install', { client: here[0] ?? CLIENTS[0], ...at })} (of ${possible.join(', ')})`,
  });
}

function usedIn(root: string, client: ClientId): boolean {
  const { project, signs } = CLIENT_TABLE[client];
  return [...project, ...signs].some((path) => existsSync(join(root, path)));
}

const hasScope = (client: ClientId, scope: Scope): boolean =>
  scope === 'user' || CLIENT_TABLE[client].project.length > 0;

/** Clients that this user seems to have, and that have a file in this scope. */
const clientsOf = ({ machine, scope }: InstallRequest): ClientId[] =>
  CLIENTS.filter((client) => hasScope(client, scope)).filter((client) =>
    CLIENT_TABLE[client].traces(machine).some((path) => existsSync(path)),
  );

type ReportedChange = McpInstallReport['clients'][number];

const DONE: Record<ReportedChange['change'], string> = {
  ...{ create: 'created', add: 'added', replace: 'replaced', remove: 'removed', delete: 'deleted' },
  ...{ none: 'unchanged', keep: 'kept', refuse: 'left alone', command: 'not done' },
};
const WOULD: Partial<Record<ReportedChange['change'], string>> = {
  ...{ create: 'would create', add: 'would add to', replace: 'would replace in' },
  ...{ remove: 'would remove from', delete: 'would delete' },
};
const STARTED: Record<McpInstallReport['launch']['kind'], string> = {
  path: 'found on PATH',
  npx: 'fetched by npx, which takes a while the first time',
  local: 'installed in this project',
  node: 'this checkout: a path that only this machine has',
};

/** Width of the longest name of a client. */
const NAMES = 14;
const INDENT = ' '.repeat(NAMES + 1);

export function mcpInstallText(report: McpInstallReport, { values }: { values: McpInstallValues }): string {
  return values.print ? snippetsText(report) : changesText(report);
}

function changesText(report: McpInstallReport): string {
  const { action, clients, launch, written } = report;
  if (clients.length === 0) return 'no client is set up to start git-socraticode\n';
  const lines = clients.flatMap((change) => renderChange(change, report));
  const changed = clients.some(({ change }) => WOULD[change] !== undefined || change === 'command');
  if (action === 'install' && changed) {
    lines.push(`started as: ${launch.command.join(' ')} ${signs.cut} mcp (${STARTED[launch.kind]})`);
    if (written) lines.push('Restart the client, or reload its servers.');
    if (report.alsoHere.length > 0)
      lines.push(`With ${optionText('client')} also possible: ${report.alsoHere.join(', ')}.`);
  }
  return `${lines.join('\n')}\n`;
}

function renderChange(change: ReportedChange, { name, written, action }: McpInstallReport): string[] {
  const did = (written ? undefined : WOULD[change.change]) ?? DONE[change.change];
  const reason = change.reason === null ? '' : `: ${change.reason}`;
  const lines = [`${change.client.padEnd(NAMES)} ${did}${change.path === null ? '' : ` ${change.path}`}${reason}`];
  if (change.change === 'keep') lines.push(...retainedEntryLines(change, name, action));
  if (change.command !== null) lines.push(`${INDENT}Run: ${shellLine(change.command)}`);
  if (change.next !== null) lines.push(`${INDENT}${change.next}`);
  return lines;
}

function retainedEntryLines({ existing, wanted }: ReportedChange, name: string, action: string): string[] {
  const shown = (value: unknown) => safeJson(value);
  if (action === 'uninstall')
    return [`${INDENT}"${name}" starts another program (${optionText('force')} removes it): ${shown(existing)}`];
  return [
    `${INDENT}"${name}" is there already, and differs (${optionText('force')} replaces it):`,
    `${INDENT}- ${shown(existing)}`,
    `${INDENT}+ ${shown(wanted)}`,
  ];
}

/** Text to paste, each piece under the file where it belongs. */
function snippetsText({ clients }: McpInstallReport): string {
  const pieces = clients.map(({ path, snippet, command }) => {
    if (path === null || snippet === null) return `# to be run in a shell\n${shellLine(command ?? [])}\n`;
    return `${path.endsWith('.toml') ? '#' : '//'} ${path}\n${snippet}`;
  });
  return pieces.join('\n');
}

/** A command as typed in a shell. */
function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}
