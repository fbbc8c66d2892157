/** `agents install|status|uninstall`: writes, looks for, and removes the instructions for coding agents. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import type { Asker } from '../asker.js';
import { type ConfigFile, changeConfig, readConfig } from '../mcp/install/files/file.js';
import { hasSection, withoutSection, withSection } from './files/section.js';
import { OWN_MARK, SECTION } from './guide.js';
import { HOST_TABLE, HOSTS, type Host } from './hosts.js';
import type { AgentsFile, AgentsReport } from './output.js';
import type { AgentsValues } from './question.js';

type Action = AgentsReport['action'];

const answerAction =
  (action: Action) =>
  async ({ session }: Asker, { client = [], dryRun }: AgentsValues): Promise<AgentsReport> => {
    const { workTree } = session.repository;
    if (workTree === null)
      throw new SocraticodeError('BAD_ARGUMENT', 'a bare repository has no files of a project', {
        hint: 'Run it in a work tree of the repository.',
      });
    const files: AgentsFile[] = [];
    for (const host of chooseHosts(action, client as Host[], workTree)) {
      for (const target of targetsOf(host)) files.push(await changeTarget(workTree, target, action, dryRun === true));
    }
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

interface Target {
  host: Host;
  path: string;
  /** Null for a section in a file of others. */
  own: string | null;
}

function targetsOf(host: Host): Target[] {
  const { section, own } = HOST_TABLE[host];
  const files = Object.entries(own).map(([path, text]) => ({ host, path, own: text }));
  return section === null ? files : [{ host, path: section, own: null }, ...files];
}

/** A file that cannot be changed is reported as `refuse`, with the reason: links are never followed. */
async function changeTarget(root: string, target: Target, action: Action, dryRun: boolean): Promise<AgentsFile> {
  const { host, path, own } = target;
  const file: ConfigFile = { path: join(root, path), root };
  const kind = own === null ? 'section' : 'file';
  const base = { host, path, kind, isInstalled: false, isCurrent: false, reason: null } as const;
  try {
    const text = readConfig(file);
    const isInstalled = text !== null && isOurs(target, text);
    const wanted = isInstalled || text === null || own === null ? textWith(target, text) : text;
    const found = { ...base, isInstalled, isCurrent: isInstalled && text === wanted };
    if (action === 'status') return { ...found, change: 'none' };
    if (own !== null && text !== null && !isInstalled)
      return { ...found, change: action === 'install' ? 'keep' : 'none' };
    if (action === 'uninstall' && !isInstalled) return { ...found, change: 'none' };
    const change = (now: string | null) => (action === 'install' ? textWith(target, now) : textWithout(target, now));
    const after = change(text);
    if (!dryRun && after !== text) await changeConfig(file, change);
    return { ...found, change: nameOf(text, after, isInstalled) };
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    return { ...base, change: 'refuse', reason: error.message };
  }
}

function nameOf(text: string | null, after: string | null, isInstalled: boolean): AgentsFile['change'] {
  if (after === text) return 'none';
  if (after === null) return 'delete';
  if (text === null) return 'create';
  return isInstalled ? (after.length < text.length && !after.includes(SECTION) ? 'remove' : 'replace') : 'add';
}

const isOurs = ({ own }: Target, text: string): boolean => (own === null ? hasSection(text) : text.includes(OWN_MARK));
const textWith = ({ own }: Target, text: string | null): string => own ?? withSection(text, SECTION);
const textWithout = ({ own }: Target, text: string | null): string | null =>
  own !== null || text === null ? null : withoutSection(text);
