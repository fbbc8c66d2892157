/**
 * Refuses symbolic refs. Git writes through one to the branch that it names, and a `.git` directory can come in an archive,
 * so every ref is checked before it is written. The check reads files instead of starting git, as it precedes every write;
 * a packed ref cannot be symbolic.
 */
import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { standingAt } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { NOTHING_THERE } from './process.js';
import type { Repository } from './repository.js';

/** Content of a symbolic ref's file; other refs hold an oid. */
const SYMBOLIC = /^ref:/;
/** Greatest depth of our refs below a prefix. */
const MAX_DEPTH = 16;

/** Throws GIT_FAILED if the ref is symbolic, or its file is reached through a symbolic link. */
export async function requireDirect(repository: Repository, ref: string): Promise<void> {
  if (hasRefFiles(repository)) {
    const parts = ref.split('/');
    // `refs` itself may be a link: work trees were shared that way before `git worktree`.
    for (let length = 2; length < parts.length; length++) {
      const directory = parts.slice(0, length).join('/');
      if (statOf(repository, directory)?.isSymbolicLink()) throw linked(directory);
    }
    if (isSymbolicFile(repository, ref)) throw symbolic(ref);
    return;
  }
  const { code } = await repository.git.run(['symbolic-ref', '--quiet', ref], { allow: NOTHING_THERE });
  if (code === 0) throw symbolic(ref);
}

/** Checks all refs below a prefix like `requireDirect`, also symbolic refs to branches that do not exist yet. */
export async function requireDirectBelow(repository: Repository, prefix: string): Promise<void> {
  await requireDirect(repository, prefix);
  if (hasRefFiles(repository)) return searchFiles(repository, prefix, 0);
  const format = '--format=%(refname) %(symref)';
  const text = await repository.git.text(['for-each-ref', format, '--end-of-options', `${prefix}/`]);
  const found = text.split('\n').find((line) => / \S/.test(line));
  if (found !== undefined) throw symbolic(found.split(' ')[0]);
}

function searchFiles(repository: Repository, prefix: string, depth: number): void {
  const stat = statOf(repository, prefix);
  if (stat === undefined) return;
  if (stat.isSymbolicLink() || depth > MAX_DEPTH) throw linked(prefix);
  if (!stat.isDirectory()) {
    if (isSymbolicFile(repository, prefix)) throw symbolic(prefix);
    return;
  }
  for (const name of readdirSync(join(repository.commonDir, prefix)))
    searchFiles(repository, `${prefix}/${name}`, depth + 1);
}

/** False if refs are stored in a reftable. */
function hasRefFiles({ commonDir }: Repository): boolean {
  return !existsSync(join(commonDir, 'reftable'));
}

function statOf({ commonDir }: Repository, ref: string) {
  return standingAt(join(commonDir, ref));
}

function isSymbolicFile(repository: Repository, ref: string): boolean {
  const stat = statOf(repository, ref);
  if (stat === undefined || stat.isDirectory()) return false;
  // Git treats a link as a symbolic ref; a pipe or device must not be opened.
  if (!stat.isFile()) return true;
  try {
    return SYMBOLIC.test(startOf(join(repository.commonDir, ref)));
  } catch (error) {
    // Git has packed the ref and removed the file.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw new SocraticodeError('DISK', `cannot read ${ref}: ${(error as Error).message}`, { cause: error });
  }
}

function startOf(path: string): string {
  const file = openSync(path, 'r');
  try {
    const start = Buffer.alloc('ref:'.length);
    return start.toString('latin1', 0, readSync(file, start, 0, start.length, 0));
  } finally {
    closeSync(file);
  }
}

function symbolic(ref: string): SocraticodeError {
  return new SocraticodeError('GIT_FAILED', `${ref} is a symbolic ref: writing to it would change another ref`, {
    hint: `Delete it, its target stays: git symbolic-ref -d ${ref}`,
  });
}

function linked(ref: string): SocraticodeError {
  return new SocraticodeError('GIT_FAILED', `${ref} is a link: writing below it would change other refs`, {
    hint: `Delete the link in the git directory, its target stays: ${ref}`,
  });
}
