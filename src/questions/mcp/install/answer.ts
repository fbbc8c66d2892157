/** `mcp install` and `mcp uninstall`: adds our entry to the configurations of coding agents, or removes it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SocraticodeError } from '../../../base/errors.js';
import { type Change, changeClient, type InstallRequest } from './change.js';
import { CLIENT_TABLE, CLIENTS, type ClientId, type Machine } from './clients.js';
import { chooseLaunch } from './launch.js';
import type { McpInstallReport } from './output.js';

/** Names that all clients accept. The first letter excludes `__proto__`. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** Throws BAD_ARGUMENT for a bad name, and if no client is named or found. */
export async function changeClients(request: InstallRequest): Promise<McpInstallReport> {
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
    alsoHere: request.clients.length > 0 ? [] : clientsOf(machine).filter((client) => !chosen.includes(client)),
  };
}

function chooseClients({ action, clients, scope, root, machine, print }: InstallRequest): readonly ClientId[] {
  if (clients.length > 0) return CLIENTS.filter((client) => clients.includes(client));
  if (action === 'uninstall') return CLIENTS;
  const found = scope === 'project' && root !== null ? CLIENTS.filter((client) => usedIn(root, client)) : [];
  if (found.length > 0) return found;
  if (print) return CLIENTS;
  const here = clientsOf(machine);
  const seen = here.length === 0 ? '' : `; this user seems to have ${here.join(', ')}`;
  const where = scope === 'user' ? 'no client is named' : 'no client is named, and none is set up in this project';
  throw new SocraticodeError('BAD_ARGUMENT', `${where}${seen}`, {
    hint: `Name one: git socraticode mcp install --client ${here[0] ?? CLIENTS[0]} (of ${CLIENTS.join(', ')})`,
  });
}

function usedIn(root: string, client: ClientId): boolean {
  const { project, signs } = CLIENT_TABLE[client];
  return [...project, ...signs].some((path) => existsSync(join(root, path)));
}

const clientsOf = (machine: Machine): ClientId[] =>
  CLIENTS.filter((client) => CLIENT_TABLE[client].traces(machine).some((path) => existsSync(path)));
