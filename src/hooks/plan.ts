/** What installing or uninstalling changes, and doing it. */
import type { Repository } from '../git/repository.js';
import type { ConfigEntry } from '../git/worktree.js';
import { applyConfig, planConfig, planConfigRemoval } from './config-hooks.js';
import { ALL_EVENTS, INDEX_EVENTS, SHARE_EVENT } from './events.js';
import { applyFile, type HookChange, planFile, planRemoval } from './hook-files.js';
import { findHooks, type HookPlace } from './place.js';
import type { Fallback } from './shim.js';

interface InstallOptions {
  share: boolean;
  /** What runs the worker where PATH does not have it. */
  fallback: Fallback | null;
}

export interface HookPlan {
  place: HookPlace;
  changes: HookChange[];
}

/** Asks git for its version, but writes nothing. */
export async function readPlace(repository: Repository, config: readonly ConfigEntry[]): Promise<HookPlace> {
  return findHooks(repository, config, await repository.git.text(['version']));
}

export function planInstall(
  place: HookPlace,
  config: readonly ConfigEntry[],
  { share, fallback }: InstallOptions,
): HookPlan {
  if (place.manager === 'lefthook' || place.manager === 'pre-commit') return { place, changes: [] };
  const events = share ? ALL_EVENTS : INDEX_EVENTS;
  if (place.manager === 'config') {
    // An older git put our lines into files: each event counts once.
    const inFiles = ALL_EVENTS.map((event) => planRemoval(place, event)).filter(({ kind }) => kind !== 'none');
    const obsolete = share ? [] : unshare(planConfigRemoval(config));
    return { place, changes: [...inFiles, ...obsolete, ...planConfig(config, share, fallback)] };
  }
  // Files of the work tree get committed: no path of this machine belongs there.
  const local = place.committed ? null : fallback;
  const changes = events.map((event) => planFile(place, event, local));
  if (!share) changes.push(...unshare([planRemoval(place, SHARE_EVENT)]));
  return { place, changes };
}

/** `install` without sharing takes back an earlier one with it. */
function unshare(changes: readonly HookChange[]): HookChange[] {
  return changes.filter(({ event, kind }) => event === SHARE_EVENT && kind !== 'none');
}

/** Takes our lines out of files and configuration alike, whatever manager there is now. */
export function planUninstall(place: HookPlace, config: readonly ConfigEntry[]): HookPlan {
  const files = ALL_EVENTS.map((event) => planRemoval(place, event));
  const configured = planConfigRemoval(config).filter(({ kind }) => kind !== 'none');
  return { place, changes: [...files, ...configured] };
}

/** Throws DISK or GIT_FAILED; what was done until then stays, and can be done again. */
export async function applyPlan(repository: Repository, { changes }: HookPlan): Promise<void> {
  for (const change of changes) if (!change.path.startsWith('hook.')) applyFile(change);
  await applyConfig(
    repository.git,
    changes.filter(({ path }) => path.startsWith('hook.')),
  );
}
