/**
 * A bound on git's memory that the kernel keeps. `supervise` ends a git that takes too much, but only while this process
 * lives: killed with SIGKILL it leaves behind a git that goes on gathering until the machine has no memory left.
 */
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';

/** Of its own; packs are mapped, which does not count. The history of the largest repositories takes some 4 GiB. */
export const MAX_MEMORY_BYTES = Math.min(8 * 2 ** 30, Math.max(2 ** 30, totalmem() / 2));
/** What lists or compares trees gathers at most a million entries for us: a few hundred bytes each. */
const MAX_TREE_MEMORY_BYTES = 2 ** 29;
/** What lists or compares trees. */
const TREE_COMMANDS: ReadonlySet<string> = new Set(['ls-tree', 'diff-tree', 'status']);
/** What walks history, or reads objects of which it learns the size too late. */
const OBJECT_COMMANDS: ReadonlySet<string> = new Set(['cat-file', 'log', 'merge-base', 'rev-list']);

const SHELL = '/bin/sh';
/** Of data (private memory that can be written, no mapped packs); where it cannot be set, git runs as it would have. */
export const LIMITED = 'ulimit -d "$0" 2>/dev/null; exec git "$@"';
/** What is asked of the system is more than what is used, and `supervise` has the better words. */
const KERNEL_FACTOR = 2;

/** Most resident memory of one git. */
export function mostMemory(command: string): number {
  return TREE_COMMANDS.has(command) ? MAX_TREE_MEMORY_BYTES : MAX_MEMORY_BYTES;
}

/** What to start for `git ARGS`: git, or a shell that sets the bound and becomes git. It costs a millisecond. */
export function withLimit(command: string, args: readonly string[]): [file: string, args: string[]] {
  if (!(TREE_COMMANDS.has(command) || OBJECT_COMMANDS.has(command)) || !hasShell()) return ['git', [...args]];
  const bytes = TREE_COMMANDS.has(command) ? MAX_TREE_MEMORY_BYTES * KERNEL_FACTOR : MAX_MEMORY_BYTES;
  return [SHELL, ['-c', LIMITED, String(Math.floor(bytes / 1_024)), ...args]];
}

let found: boolean | undefined;

/** Only Linux counts what matters. */
function hasShell(): boolean {
  found ??= process.platform === 'linux' && existsSync(SHELL);
  return found;
}
