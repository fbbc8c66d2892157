/** Refs as they are, the broken ones too: what a check looks at, and what is left of a ref that git cannot read. */
import { closeSync, existsSync, fstatSync, openSync, readdirSync, readSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { plainFileAt, standingAt } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { childEnd, type Git, gitFailure } from './process.js';
import type { Repository } from './repository.js';

export interface KnownRef {
  ref: string;
  oid: string;
  /** Name of the ref that it stands for; null for one that holds an oid. */
  symbolic: string | null;
}

/** Below a prefix, and the prefix itself. `broken` are files of refs in which git finds no oid. */
export async function listRefs(git: Git, prefix: string): Promise<{ refs: KnownRef[]; broken: string[] }> {
  // Without the type, which git would have to open the object for, and die of one that is missing.
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

/** No ref of ours lies deeper below another. */
const MAX_DEPTH = 16;

/** Files that a writer of refs below a prefix left locked: absolute paths, and how long they have been there. */
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
    // A clock that was set back makes no lock a young one.
    if (stat !== null) found.push({ path, ageMs: Math.abs(Date.now() - stat.mtimeMs) });
  };
  visit(join(commonDir, prefix), 0);
  add(join(commonDir, `${prefix}.lock`));
  return found;
}

/** Moves the file of a ref that git can neither read nor delete. Throws DISK; false where refs are no files. */
export function setRefFileAside({ commonDir }: Repository, ref: string, to: string): boolean {
  const path = join(commonDir, ref);
  if (existsSync(join(commonDir, 'reftable')) || plainFileAt(path) === null) return false;
  try {
    renameSync(path, to);
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot move ${path}: ${(cause as Error).message}`, { cause });
  }
  return true;
}

/** A line of a reflog: two oids, a name, a time, a message. */
const LOG_LINE_BYTES = 4_096;

/** What a ref pointed at last, by its log; null where there is none. */
export function lastLogged({ commonDir, objectFormat }: Repository, ref: string): string | null {
  const path = join(commonDir, 'logs', ref);
  if (plainFileAt(path) === null) return null;
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const end = Buffer.alloc(Math.min(size, LOG_LINE_BYTES));
    readSync(file, end, 0, end.length, size - end.length);
    const line = end.toString('latin1').trimEnd().split('\n').at(-1) ?? '';
    const oid = /^[0-9a-f]+ ([0-9a-f]+) /.exec(line)?.[1] ?? '';
    const isOid = oid.length === (objectFormat === 'sha256' ? 64 : 40) && !/^0+$/.test(oid);
    return isOid ? oid : null;
  } finally {
    closeSync(file);
  }
}

/**
 * Those of `wanted` that are here, asked in a way that makes a partial clone fetch nothing: all objects are listed. Takes
 * a second for a million of them.
 */
export async function presentObjects(git: Git, wanted: ReadonlySet<string>): Promise<Set<string>> {
  const args = ['cat-file', '--batch-all-objects', '--unordered', '--batch-check=%(objectname)'];
  const child = git.spawn(args);
  const ended = childEnd(child);
  child.stdin.end();
  const present = new Set<string>();
  let rest = '';
  for await (const chunk of child.stdout.setEncoding('latin1') as AsyncIterable<string>) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() as string;
    for (const oid of lines) if (wanted.has(oid)) present.add(oid);
  }
  const { code, stderr } = await ended;
  if (code !== 0) throw gitFailure(args, code, stderr);
  return present;
}
