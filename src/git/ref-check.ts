/** Refs for checks and repairs: broken ones, stale locks, and the last object id of a ref that git cannot read. */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { plainFileAt, standingAt } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { presentOid } from './diff.js';
import { type Git, linesOf } from './process.js';
import type { Repository } from './repository.js';

export interface KnownRef {
  ref: string;
  oid: string;
  /** Target of a symbolic ref; null for a ref that holds an oid. */
  symbolic: string | null;
}

/** Lists the refs below a prefix, and the prefix itself. `broken`: refs whose files hold no object id. */
export async function listRefs(git: Git, prefix: string): Promise<{ refs: KnownRef[]; broken: string[] }> {
  // Without the type: git would open the object for it, and die if that is missing.
  const format = '--format=%(refname) %(objectname) %(symref)';
  const { stdout, stderr } = await git.run(['for-each-ref', format, '--end-of-options', prefix]);
  const refs = stdout
    .toString('utf8')
    .split('\n')
    .flatMap((line): KnownRef[] => {
      const [ref, oid, symbolic] = line.split(' ');
      return oid === undefined ? [] : [{ ref, oid, symbolic: symbolic || null }];
    });
  const broken = [...stderr.matchAll(/ignoring (?:broken|dangling symbolic) ref (refs\/\S+)/g)].map(([, ref]) => ref);
  return { refs, broken };
}

/** Greatest depth of our refs below a prefix. */
const MAX_DEPTH = 16;

export function refLocks({ commonDir }: Repository, prefix: string): { path: string; ageMs: number }[] {
  const found: { path: string; ageMs: number }[] = [];
  const visit = (directory: string, depth: number) => {
    if (depth > MAX_DEPTH || !standingAt(directory)?.isDirectory()) return;
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      const path = join(directory, entry.name);
      if (entry.isDirectory()) visit(path, depth + 1);
      else if (entry.isFile() && entry.name.endsWith('.lock')) add(path);
    }
  };
  const add = (path: string) => {
    const stat = plainFileAt(path);
    // Absolute, since the clock may have been set back.
    if (stat !== null) found.push({ path, ageMs: Math.abs(Date.now() - stat.mtimeMs) });
  };
  visit(join(commonDir, prefix), 0);
  add(join(commonDir, `${prefix}.lock`));
  return found;
}

/** Moves the file of a ref that git can neither read nor delete. Throws DISK. Returns false if refs are not stored as files. */
export function quarantineRefFile({ commonDir }: Repository, ref: string, to: string): boolean {
  const path = join(commonDir, ref);
  if (existsSync(join(commonDir, 'reftable')) || plainFileAt(path) === null) return false;
  try {
    renameSync(path, to);
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot move ${path}: ${(cause as Error).message}`, { cause });
  }
  return true;
}

/** Bytes that hold the last line of a reflog: two ids, a name, a time, a message. */
const LOG_LINE_BYTES = 4_096;

/** Last object id of a ref in its reflog, or null. */
export function lastLogged({ commonDir }: Repository, ref: string): string | null {
  const path = join(commonDir, 'logs', ref);
  if (plainFileAt(path) === null) return null;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, LOG_LINE_BYTES));
    readSync(file, end, 0, end.length, size - end.length);
    const [line] = end.toString('latin1').trimEnd().split('\n').slice(-1);
    return presentOid(/^[0-9a-f]+ ([0-9a-f]{40}|[0-9a-f]{64}) /.exec(line)?.[1]);
  } finally {
    closeSync(file);
  }
}

/**
 * Returns those of `wanted` that exist locally. Lists all objects, so that a partial clone fetches nothing; takes a second for a million.
 */
export async function presentObjects(git: Git, wanted: ReadonlySet<string>): Promise<Set<string>> {
  const args = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'];
  const present = new Set<string>();
  for await (const oids of linesOf(git, args)) for (const oid of oids) if (wanted.has(oid)) present.add(oid);
  return present;
}
