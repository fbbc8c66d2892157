/** Plans and applies changes to hook files. */
import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOpenToGroup, writeFileAtomic } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { hasBlock, isAllOurs, newHookFile, obstacle, withBlock, withoutBlock } from './block.js';
import type { HookEvent } from './events.js';
import { kindOf, readPlain } from './files.js';
import { type HookPlace, MAX_HOOK_BYTES } from './place.js';
import type { Fallback } from './shim.js';

type ChangeKind = 'create' | 'add' | 'update' | 'remove' | 'delete' | 'none' | 'refuse';

export interface HookChange {
  event: HookEvent;
  /** Hook file, or section of git's configuration (`hook.<name>`). */
  path: string;
  kind: ChangeKind;
  /** Reason for a refusal, else null. */
  reason: string | null;
  /** New content of the file or configuration key; null if nothing is written. */
  text: string | null;
}

const EXECUTABLE = 0o755;
const GROUP = 0o070;

/** Plans the installation of one hook, without writing anything. */
export function planFile(place: HookPlace, event: HookEvent, fallback: Fallback | null): HookChange {
  const path = join(place.target ?? '', event);
  const refuse = (reason: string): HookChange => ({ event, path, kind: 'refuse', reason, text: null });
  if (place.refusal !== null) return refuse(place.refusal);
  const kind = kindOf(path);
  if (kind === 'none') return { event, path, kind: 'create', reason: null, text: newHookFile(event, fallback) };
  const text = readHook(path);
  if (text === null) return refuse(kind === 'link' ? 'it is a symbolic link' : 'it cannot be read');
  const husky = place.manager === 'husky';
  const why = obstacle(text, husky);
  if (why !== null) return refuse(why);
  // Making the file executable would enable a hook that the user has disabled.
  if (!husky && !isExecutable(path)) return refuse('it is not executable, so git does not run it');
  const next = withBlock(text, event, fallback);
  if (next === text) return { event, path, kind: 'none', reason: null, text: null };
  return { event, path, kind: hasBlock(text) ? 'update' : 'add', reason: null, text: next };
}

/** Plans the removal of one hook, without writing anything. */
export function planRemoval(place: HookPlace, event: HookEvent): HookChange {
  const path = join(place.target ?? '', event);
  const text = place.refusal === null ? readHook(path) : null;
  if (text === null || !hasBlock(text)) return { event, path, kind: 'none', reason: null, text: null };
  if (isAllOurs(text)) return { event, path, kind: 'delete', reason: null, text: null };
  return { event, path, kind: 'remove', reason: null, text: withoutBlock(text) };
}

/** Applies one change. Throws DISK. The file is replaced atomically. */
export function applyFile({ path, kind, text }: HookChange): void {
  if (kind === 'delete') {
    try {
      rmSync(path);
    } catch (cause) {
      throw new SocraticodeError('DISK', `cannot delete ${path}: ${(cause as Error).message}`, { cause });
    }
    return;
  }
  if (text === null) return;
  if (kind === 'create') makeHooksDirectory(join(path, '..'));
  const mode = kind === 'create' ? modeOfNewHook(dirname(path)) : statSync(path).mode & 0o7777;
  writeFileAtomic(path, Buffer.from(text, 'latin1'), mode);
}

/** As the umask says; open to the group where the folder is (`git init --shared`), since git runs no hook that its user cannot read. */
function modeOfNewHook(directory: string): number {
  return isOpenToGroup(directory) ? EXECUTABLE | GROUP : EXECUTABLE & ~process.umask();
}

/** Reads a hook as a Latin-1 string; null if it is not a plain file or larger than 1 MiB. */
export function readHook(path: string): string | null {
  return readPlain(path, MAX_HOOK_BYTES)?.toString('latin1') ?? null;
}

export function isExecutable(path: string): boolean {
  // Windows has no executable mode; git looks at the first line instead.
  return process.platform === 'win32' || (statSync(path).mode & 0o100) !== 0;
}

function makeHooksDirectory(path: string): void {
  if (existsSync(path)) return;
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot create ${path}: ${(cause as Error).message}`, { cause });
  }
}
