/** `mcp install` and `mcp uninstall`: adds our entry to the configurations of coding agents, or removes it. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isSocraticodeError, SocraticodeError } from '../../../base/errors.js';
import { PROGRAM_FILE } from '../../../base/program-file.js';
import { commandText } from '../../../params/command-line.js';
import { Session } from '../../../session/session.js';
import type { Asker, CommandSide } from '../../asker.js';
import { parseToolsets } from '../toolset-names.js';
import { type Change, changeClient, type InstallRequest } from './change.js';
import { CLIENT_TABLE, CLIENTS, type ClientId, type Scope, thisMachine } from './clients.js';
import { chooseLaunch } from './launch.js';
import type { McpInstallReport } from './output.js';
import type { McpInstallValues } from './question.js';

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
      machine: thisMachine((command as CommandSide).io.env),
      program: realpathSync(PROGRAM_FILE),
      node: process.execPath,
    });
  };

/** Answers of `mcp install` and `mcp uninstall`. */
export const answerMcpInstall = { install: answerAction('install'), uninstall: answerAction('uninstall') };

/** Null without a work tree if it is `optional`. Throws NOT_A_REPOSITORY, or BAD_ARGUMENT without a work tree. */
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
  const asked = request.clients.length > 0 || request.action === 'install';
  const done = new Set<Change['change']>(['create', 'add', 'replace', 'remove', 'delete']);
  return {
    schemaVersion: 1,
    ...{ action: request.action, scope: request.scope, name: request.name },
    written: !request.dryRun && !request.print && clients.some(({ change }) => done.has(change)),
    launch: { kind: launch.kind, command: [...launch.command] },
    clients: asked ? clients : clients.filter(({ change }) => change !== 'none'),
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
