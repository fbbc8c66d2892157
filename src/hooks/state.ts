/** Tells whether this repository runs our hooks. */
import { join } from 'node:path';
import type { Repository } from '../git/repository.js';
import type { ConfigEntry } from '../git/worktree.js';
import { hasBlock, withBlock } from './block.js';
import { configuredEvents } from './config-hooks.js';
import { ALL_EVENTS, type HookEvent } from './events.js';
import { kindOf, readPlain } from './files.js';
import { isExecutable, readHook } from './hook-files.js';
import { findHooks, type HookPlace, MAX_HOOK_BYTES } from './place.js';

/** Text that every hook and every manager's configuration contains if it calls this program. */
const MARKER = 'git-socraticode';

interface HookState {
  installed: boolean;
  /** The post-commit hook that git would run. */
  path: string;
}

interface EventState {
  event: HookEvent;
  /** `foreign`: a hook without our lines; `outdated`: our lines of another version. */
  state: 'installed' | 'outdated' | 'foreign' | 'absent';
  path: string;
}

export async function readHookState(repository: Repository, config: readonly ConfigEntry[]): Promise<HookState> {
  // Asks git for its version only if the configuration has hooks of ours, since nothing else depends on it.
  const configured = configuredEvents(config).size > 0;
  const place = findHooks(repository, config, configured ? await repository.git.text(['version']) : '');
  const { state, path } = readEvent(repository, place, config, 'post-commit');
  return { installed: state === 'installed' || state === 'outdated', path };
}

export function readEvents(repository: Repository, place: HookPlace, config: readonly ConfigEntry[]): EventState[] {
  return ALL_EVENTS.map((event) => readEvent(repository, place, config, event));
}

function readEvent(
  repository: Repository,
  place: HookPlace,
  config: readonly ConfigEntry[],
  event: HookEvent,
): EventState {
  const configured = place.manager === 'config' ? configuredEvents(config).get(event) : undefined;
  if (configured !== undefined) return { event, state: 'installed', path: configured };
  const path = join(place.target ?? '', event);
  if (place.managerFile !== null && repository.workTree !== null) {
    const file = join(repository.workTree, place.managerFile);
    const text = readPlain(file, MAX_HOOK_BYTES)?.toString('utf8') ?? '';
    if (text.includes(MARKER) && text.includes(event)) return { event, state: 'installed', path: file };
  }
  if (place.target === null || kindOf(path) === 'none') return { event, state: 'absent', path };
  const text = readHook(path);
  const runs = place.manager === 'husky' || (text !== null && isExecutable(path));
  if (text === null || !runs || !text.includes(MARKER)) return { event, state: 'foreign', path };
  return { event, state: isOutdated(text, event) ? 'outdated' : 'installed', path };
}

/** Do the lines differ from those of this version? The fallback paths may differ. */
function isOutdated(text: string, event: HookEvent): boolean {
  if (!hasBlock(text)) return false;
  const bare = (lines: string) => lines.replace(/^ {2}socraticode_(?:node|program)='(?:[^']|'\\'')*'$/gm, '');
  return bare(withBlock(text, event, null)) !== bare(text);
}

/** Does this repository run our hook for an event? */
export function isEventInstalled(
  repository: Repository,
  place: HookPlace,
  config: readonly ConfigEntry[],
  event: HookEvent,
): boolean {
  const { state } = readEvent(repository, place, config, event);
  return state === 'installed' || state === 'outdated';
}
