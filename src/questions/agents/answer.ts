/** `agents install|status|uninstall`: writes, looks for, and removes the instructions for coding agents. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import type { Asker } from '../asker.js';
import { type ConfigFile, changeConfig, readConfig } from '../mcp/install/files/file.js';
import { type Hook, hasHook, withHook, withoutHook } from './files/hook.js';
import { hasSection, withoutSection, withSection } from './files/section.js';
import { OWN_MARK, SECTION } from './guide.js';
import { HOST_TABLE, HOSTS, type Host } from './hosts.js';
import type { AgentsFile, AgentsReport } from './output.js';
import type { AgentsValues } from './question.js';

type Action = AgentsReport['action'];

const answerAction =
  (action: Action) =>
  async ({ session }: Asker, { client = [], dryRun, hooks = false }: AgentsValues): Promise<AgentsReport> => {
    const { workTree } = session.repository;
    if (workTree === null)
      throw new SocraticodeError('BAD_ARGUMENT', 'a bare repository has no files of a project', {
        hint: 'Run it in a work tree of the repository.',
      });
    const targets = chooseHosts(action, client as Host[], workTree).flatMap((host) =>
      targetsOf(host, hooks || action !== 'install'),
    );
    if (hooks && !targets.some(({ kind }) => kind === 'hook'))
      throw new SocraticodeError('BAD_ARGUMENT', 'none of these hosts takes hooks', {
        hint: `Name one that does: ${HOSTS.filter((host) => HOST_TABLE[host].hooks !== undefined).join(', ')}.`,
      });
    const files: AgentsFile[] = [];
    for (const target of targets) files.push(await changeTarget(workTree, target, action, dryRun === true));
    const isChange = ({ change }: AgentsFile) => !['none', 'keep', 'refuse'].includes(change);
    return { schemaVersion: 1, action, written: action !== 'status' && !dryRun && files.some(isChange), files };
  };

/** Throw BAD_ARGUMENT in a bare repository. */
export const answerAgents = {
  install: answerAction('install'),
  status: answerAction('status'),
  uninstall: answerAction('uninstall'),
};

function chooseHosts(action: Action, named: readonly Host[], root: string): readonly Host[] {
  if (named.length > 0) return HOSTS.filter((host) => named.includes(host));
  if (action !== 'install') return HOSTS;
  const used = HOSTS.filter((host) => {
    const { section, signs } = HOST_TABLE[host];
    return [...(section === null ? [] : [section]), ...signs].some((path) => existsSync(join(root, path)));
  });
  return used.length > 0 ? used : ['agents'];
}

/** A part of ours in a file of a project. */
interface Target {
  host: Host;
  path: string;
  kind: AgentsFile['kind'];
  isOurs: (text: string) => boolean;
  put: (text: string | null) => string;
  /** Null: the file goes. */
  without: (text: string) => string | null;
}

function targetsOf(host: Host, hasHooks: boolean): Target[] {
  const { section, own, hooks = {} } = HOST_TABLE[host];
  const parts = {
    isOurs: hasSection,
    put: (text: string | null) => withSection(text, SECTION),
    without: withoutSection,
  };
  return [
    ...(section === null ? [] : [{ host, path: section, kind: 'section' as const, ...parts }]),
    ...Object.entries(own).map(([path, text]) => ownFile(host, path, text)),
    ...(hasHooks ? Object.entries(hooks).map(([path, hook]) => hookIn(host, path, hook)) : []),
  ];
}

function ownFile(host: Host, path: string, text: string): Target {
  const isOurs = (now: string) => now.includes(OWN_MARK);
  return { host, path, kind: 'file', isOurs, put: () => text, without: () => null };
}

function hookIn(host: Host, path: string, hook: Hook): Target {
  const isOurs = (text: string) => hasHook(text, hook);
  const put = (text: string | null) => withHook(text, hook);
  return { host, path, kind: 'hook', isOurs, put, without: (text) => withoutHook(text, hook) };
}

/** A file that cannot be changed is reported as `refuse`, with the reason: links are never followed. */
async function changeTarget(root: string, target: Target, action: Action, dryRun: boolean): Promise<AgentsFile> {
  const { host, path, kind } = target;
  const file: ConfigFile = { path: join(root, path), root };
  const base = { host, path, kind, isInstalled: false, isCurrent: false, reason: null } as const;
  try {
    const text = readConfig(file);
    const isInstalled = text !== null && target.isOurs(text);
    const wanted = isInstalled || text === null || kind !== 'file' ? target.put(text) : text;
    const found = { ...base, isInstalled, isCurrent: isInstalled && text === wanted };
    if (action === 'status') return { ...found, change: 'none' };
    if (kind === 'file' && text !== null && !isInstalled)
      return { ...found, change: action === 'install' ? 'keep' : 'none' };
    if (action === 'uninstall' && !isInstalled) return { ...found, change: 'none' };
    const change = (now: string | null) =>
      action === 'install' ? target.put(now) : now === null ? null : target.without(now);
    const after = change(text);
    if (!dryRun && after !== text) await changeConfig(file, change);
    return { ...found, change: nameOf(text, after, target) };
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    return { ...base, change: 'refuse', reason: error.message };
  }
}

function nameOf(text: string | null, after: string | null, { isOurs }: Target): AgentsFile['change'] {
  if (after === text) return 'none';
  if (after === null) return 'delete';
  if (text === null) return 'create';
  if (!isOurs(text)) return 'add';
  return isOurs(after) ? 'replace' : 'remove';
}
