/** Plans and applies the installation and removal of all hooks. */
import type { Repository } from '../git/repository.js';
import type { ConfigEntry } from '../git/worktree.js';
import { applyConfig, planConfig, planConfigRemoval } from './config-hooks.js';
import { ALL_EVENTS, INDEX_EVENTS, SHARE_EVENT } from './events.js';
import { applyFile, type HookChange, planFile, planRemoval } from './hook-files.js';
import { findHooks, type HookPlace } from './place.js';
import type { Fallback } from './shim.js';

interface InstallOptions {
  share: boolean;
  /** Program that runs the worker if PATH lacks git-socraticode. */
  fallback: Fallback | null;
}

export interface HookPlan {
  place: HookPlace;
  changes: HookChange[];
}

/** Finds where hooks go. Runs `git version`, and writes nothing. */
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
    // Removes lines that an installation under an older git put into files, so that each event runs once.
    const inFiles = ALL_EVENTS.map((event) => planRemoval(place, event)).filter(({ kind }) => kind !== 'none');
    const obsolete = share ? [] : unshare(planConfigRemoval(config));
    return { place, changes: [...inFiles, ...obsolete, ...planConfig(config, share, fallback)] };
  }
  // Files in the work tree get committed, so they must not contain paths of this machine.
  const local = place.committed ? null : fallback;
  const changes = events.map((event) => planFile(place, event, local));
  if (!share) changes.push(...unshare([planRemoval(place, SHARE_EVENT)]));
  return { place, changes };
}

/** Changes that remove the pre-push hook of an earlier installation with sharing. */
function unshare(changes: readonly HookChange[]): HookChange[] {
  return changes.filter(({ event, kind }) => event === SHARE_EVENT && kind !== 'none');
}

/** Plans the removal of our lines from hook files and from the configuration, whichever manager is in use now. */
export function planUninstall(place: HookPlace, config: readonly ConfigEntry[]): HookPlan {
  const files = ALL_EVENTS.map((event) => planRemoval(place, event));
  const configured = planConfigRemoval(config).filter(({ kind }) => kind !== 'none');
  return { place, changes: [...files, ...configured] };
}

/** Applies all changes. Throws DISK or GIT_FAILED; changes made before the failure stay, and a repeated run is safe. */
export async function applyPlan(repository: Repository, { changes }: HookPlan): Promise<void> {
  for (const change of changes) if (!change.path.startsWith('hook.')) applyFile(change);
  await applyConfig(
    repository.git,
    changes.filter(({ path }) => path.startsWith('hook.')),
  );
}
