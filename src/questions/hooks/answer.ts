/** `hooks install`, `uninstall` and `status`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { lockHolder } from '../../base/lock.js';
import { logPath } from '../../base/log-file.js';
import { PROGRAM_FILE } from '../../base/program-file.js';
import { findOnPath } from '../../base/programs.js';
import { localStateDirectory } from '../../git/repository.js';
import { commandsByHand, lefthookSnippet, preCommitSnippet } from '../../hooks/by-hand.js';
import { readHook } from '../../hooks/hook-files.js';
import { readHookLog, readOutput } from '../../hooks/log.js';
import { applyPlan, type HookPlan, planInstall, planUninstall, readPlace } from '../../hooks/plan.js';
import { HookQueue } from '../../hooks/queue.js';
import type { Fallback } from '../../hooks/shim.js';
import { readEvents } from '../../hooks/state.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { HooksChange, HooksStatus } from './output.js';
import type { HooksInstallValues, HooksUninstallValues } from './question.js';

interface HookInstallOptions {
  /** Share the index after a push. */
  share?: boolean;
  /** Say what would be written, and write nothing. */
  print?: boolean;
  fallback: Fallback | null;
}

export async function answerHooksInstall({ session }: Asker, values: HooksInstallValues): Promise<HooksChange> {
  return installHooks(session, { ...values, fallback: { node: process.execPath, program: PROGRAM_FILE } });
}

export async function answerHooksUninstall({ session }: Asker, values: HooksUninstallValues): Promise<HooksChange> {
  return uninstallHooks(session, values);
}

export const answerHooksStatus = ({ session }: Asker): Promise<HooksStatus> => readHooksStatus(session);

const TOOL = 'git-socraticode';
const LOG_LINES = 5;

/** Throws DISK or GIT_FAILED. Running it twice changes nothing. */
export async function installHooks(session: Session, options: HookInstallOptions): Promise<HooksChange> {
  const { repository, gitConfig } = session;
  const place = await readPlace(repository, gitConfig);
  const share = options.share ?? false;
  const plan = planInstall(place, gitConfig, { share, fallback: options.fallback });
  if (!options.print) await applyPlan(repository, plan);
  return report('install', plan, byHand(plan, share), options.print ?? false);
}

async function uninstallHooks(session: Session, options: { print?: boolean } = {}): Promise<HooksChange> {
  const { repository, gitConfig } = session;
  const plan = planUninstall(await readPlace(repository, gitConfig), gitConfig);
  if (!options.print) await applyPlan(repository, plan);
  return report('uninstall', plan, null, options.print ?? false);
}

export async function readHooksStatus(session: Session): Promise<HooksStatus> {
  const { repository, gitConfig } = session;
  const place = await readPlace(repository, gitConfig);
  const state = localStateDirectory(repository);
  const hooks = readEvents(repository, place, gitConfig);
  const commit = hooks.find(({ event }) => event === 'post-commit')?.path ?? '';
  return {
    schemaVersion: 1,
    manager: place.manager,
    managerFile: place.managerFile,
    directory: place.target,
    refusal: place.refusal,
    hooks,
    tool: findOnPath(TOOL),
    fallback: fallbackOf(readHook(commit) ?? gitConfig.filter(({ key }) => key === `${commit}.command`).pop()?.value),
    worker: lockHolder(join(state, 'hook.lock')),
    queued: new HookQueue(state).peek().length,
    log: {
      path: logPath(state),
      lines: readHookLog(state, LOG_LINES).map(({ time, message }) => `${time} ${message}`),
      output: readOutput(state),
    },
  };
}

function byHand({ place, changes }: HookPlan, share: boolean): string | null {
  if (place.manager === 'lefthook') return lefthookSnippet(share);
  if (place.manager === 'pre-commit') return preCommitSnippet(share);
  const refused = changes.filter(({ kind }) => kind === 'refuse').map(({ event }) => event);
  return refused.length === 0 ? null : commandsByHand(refused);
}

function report(
  action: HooksChange['action'],
  { place, changes }: HookPlan,
  hand: string | null,
  print: boolean,
): HooksChange {
  const writes = changes.some(({ kind }) => kind !== 'none' && kind !== 'refuse');
  return {
    schemaVersion: 1,
    action,
    manager: place.manager,
    managerFile: place.managerFile,
    directory: place.target,
    committed: place.committed,
    written: writes && !print,
    hooks: changes.map(({ event, path, kind, reason, text }) => ({
      ...{ event, path, change: kind, reason },
      text: print && text !== null ? Buffer.from(text, 'latin1').toString('utf8') : null,
    })),
    byHand: hand,
  };
}

function fallbackOf(text: string | undefined): string | null {
  const word = /^ {2}socraticode_program='((?:[^']|'\\'')+)'$/m.exec(text ?? '')?.[1];
  const path = word === undefined ? null : Buffer.from(word.replaceAll("'\\''", "'"), 'latin1').toString('utf8');
  return path !== null && existsSync(path) ? path : null;
}
