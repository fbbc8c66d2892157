/**
 * Uncommitted changes of a work tree, from one `git status`: changed, deleted and untracked paths. Reads only names, and runs no content
 * filter that the repository configures.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { endedFields, withinBounds } from './diff.js';
import { decodePath, type EntryType, entryType, isFileMode } from './objects.js';
import type { Repository } from './repository.js';
import { type ConfigEntry, withoutLocalFilters } from './repository.js';

/** A path that differs from HEAD in the work tree or in the index. */
export interface WorkTreeChange {
  /** Path as in a snapshot: bytes that are not UTF-8 are written as \xNN. */
  path: string;
  name: Buffer;
  /** Blob at HEAD; null if HEAD has none, undefined if unknown (a conflict, or HEAD kept moving). */
  headOid: string | null | undefined;
  headType: EntryType | null;
  /** True for a regular file; false if it is deleted, a symlink, or another repository. */
  isFile: boolean;
}

export interface WorkTreeChanges {
  /** Commit that the work tree was compared with; null before the first one. */
  commit: string | null;
  /** One entry per path, in git's order. */
  list: WorkTreeChange[];
}

const STATUS = [
  ...['status', '--porcelain=v2', '-z', '--branch', '--no-ahead-behind'],
  ...['--no-renames', '--untracked-files=all', '--ignore-submodules=all'],
];

/** Calls of `git status` while HEAD keeps moving. */
const MAX_ATTEMPTS = 3;

/** Fields before the path: `1 XY sub mH mI mW hH hI path` and `u XY sub m1 m2 m3 mW h1 h2 h3 path`. */
const TRACKED_FIELDS = 8;
const UNMERGED_FIELDS = 10;
const NO_MODE = '000000';
const ONE = 0x31;
const SPACE = 0x20;
const SLASH = 0x2f;

/**
 * Lists the changes of these paths, or of all; none in a bare repository. Throws GIT_FAILED, CANCELLED, or BAD_ARGUMENT for a tree that
 * is too large.
 */
export async function readChanges(
  repository: Repository,
  config: readonly ConfigEntry[],
  paths: readonly string[] = [],
  signal?: AbortSignal,
): Promise<WorkTreeChanges> {
  if (repository.workTree === null) return { commit: null, list: [] };
  const output = await askStatus(repository, config, paths, signal);
  const changes = new Map<string, WorkTreeChange>();
  const commit = eachChange(output, isNeverCheckedOut(repository), (change) => add(changes, change));
  return { commit, list: [...changes.values()] };
}

/**
 * Repeats `read` until its result is about one commit. Git resolves HEAD twice, to name the commit and to compare with it. If HEAD moves
 * in between, it names one commit and compares with another. `head` is read after each attempt. If HEAD still moves after three,
 * `headOid` is left undefined.
 */
export async function settled(
  read: () => Promise<WorkTreeChanges>,
  head: () => Promise<string | null>,
): Promise<WorkTreeChanges> {
  for (let attempt = 1; ; attempt++) {
    const changes = await read();
    if ((await head()) === changes.commit) return changes;
    if (attempt === MAX_ATTEMPTS)
      return { ...changes, list: changes.list.map((change) => ({ ...change, headOid: undefined })) };
  }
}

/** Number of changes that `readChanges` would list. Holds only their names in memory. */
export async function countChanges(
  repository: Repository,
  config: readonly ConfigEntry[],
  signal?: AbortSignal,
): Promise<number> {
  if (repository.workTree === null) return 0;
  const output = await askStatus(repository, config, [], signal);
  const names = new Set<string>();
  eachChange(output, isNeverCheckedOut(repository), (change) => names.add(keyOf(change)));
  return names.size;
}

async function askStatus(
  repository: Repository,
  config: readonly ConfigEntry[],
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<Buffer> {
  const args = [...STATUS, '--', ...paths];
  const ask = (stop: AbortSignal) => repository.git.run(args, { config: withoutLocalFilters(config), signal: stop });
  return (await withinBounds(repository.git, ['HEAD'], ask, signal)).stdout;
}

/** Returns whether a clone was never checked out: git calls all its files deleted. */
function isNeverCheckedOut({ gitDir }: Repository): boolean {
  return !existsSync(join(gitDir, 'index'));
}

/** Visits the changes and returns the commit compared with. With `hasNone` (never checked out), absent files are no changes. */
function eachChange(output: Buffer, hasNone: boolean, take: (change: WorkTreeChange) => void): string | null {
  let commit: string | null = null;
  for (const record of endedFields(output)) {
    // Without an index every file of HEAD counts as deleted. Skipped unparsed: there can be a million of them.
    if (hasNone && record[0] === ONE) continue;
    const change = parseRecord(record);
    if (change === null) commit = branchOid(record) ?? commit;
    else take(change);
  }
  return commit;
}

const keyOf = ({ name }: WorkTreeChange): string => name.toString('latin1');

/** Merges records of one path: a file removed from the index but not from disk is listed as deleted and as untracked. */
function add(changes: Map<string, WorkTreeChange>, change: WorkTreeChange): void {
  const key = keyOf(change);
  const known = changes.get(key);
  if (known === undefined) changes.set(key, change);
  else changes.set(key, { ...known, isFile: known.isFile || change.isFile });
}

function parseRecord(record: Buffer): WorkTreeChange | null {
  const kind = String.fromCharCode(record[0]);
  if (kind === '?') return untracked(record.subarray(2));
  if (kind === '1') {
    const { fields, name } = split(record, TRACKED_FIELDS);
    const [, , , mode, , present, oid] = fields;
    const head = mode === NO_MODE ? { headOid: null, headType: null } : { headOid: oid, headType: entryType(mode) };
    return { ...named(name), ...head, isFile: isFileMode(present) };
  }
  if (kind === 'u') {
    const { fields, name } = split(record, UNMERGED_FIELDS);
    return { ...named(name), headOid: undefined, headType: null, isFile: isFileMode(fields[6]) };
  }
  return null;
}

/** Git lists every untracked file by itself. A name that ends in a slash is another repository. */
function untracked(name: Buffer): WorkTreeChange {
  const isNested = name[name.length - 1] === SLASH;
  return { ...named(isNested ? name.subarray(0, -1) : name), headOid: null, headType: null, isFile: !isNested };
}

function named(name: Buffer): Pick<WorkTreeChange, 'path' | 'name'> {
  return { path: decodePath(name), name };
}

function split(record: Buffer, count: number): { fields: string[]; name: Buffer } {
  let at = 0;
  for (let i = 0; i < count; i++) at = record.indexOf(SPACE, at) + 1;
  return { fields: record.toString('latin1', 0, at).split(' '), name: record.subarray(at) };
}

const BRANCH_OID = /^# branch\.oid ([0-9a-f]{40,64})$/;

function branchOid(record: Buffer): string | null {
  return BRANCH_OID.exec(record.toString('latin1', 0, 100))?.[1] ?? null;
}
