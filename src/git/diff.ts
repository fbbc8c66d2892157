/** What differs between two trees, and git's raw diff format (`-z --raw`), which walking history prints as well. */
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { withinBounds } from './bounded.js';
import { childEnd, type Git, gitFailure } from './process.js';
import { decodePath, type EntryType, entryType, tooManyEntries } from './snapshot.js';

export type ChangeStatus = 'added' | 'deleted' | 'modified' | 'type-changed' | 'renamed';

/** One path that differs. Oid and type of a side where nothing stands are null. */
export interface TreeChange {
  /** Where it stands now; where it stood, if it was deleted. */
  path: string;
  /** Where it stood before a rename. */
  oldPath?: string;
  oldOid: string | null;
  newOid: string | null;
  oldType: EntryType | null;
  newType: EntryType | null;
  status: ChangeStatus;
}

export interface DiffTreesOptions {
  /**
   * Find renames: git compares contents, so it needs the blobs. In a partial clone that lacks one, the answer comes
   * without renames.
   */
  renames?: boolean;
  /** Throw BAD_ARGUMENT past so many changes. */
  limit?: number;
  signal?: AbortSignal;
}

/** As many as a tree may have entries. */
const MAX_CHANGES = 1_000_000;
/** Beyond so many added and deleted files git compares each with each: only equal contents count as renames then. */
const RENAME_LIMIT = 1_000;
/** A path longer than this is no path that any system can check out. */
const MAX_FIELD_BYTES = 1 << 20;

export const EMPTY_TREES = {
  sha1: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  sha256: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
};

/**
 * Every path below two trees (or commits) that differs, in git's order; `from` null stands for the empty tree.
 * Throws GIT_FAILED where a tree is missing, and BAD_ARGUMENT past `limit`.
 */
export async function diffTrees(
  git: Git,
  from: string | null,
  to: string,
  options: DiffTreesOptions = {},
): Promise<TreeChange[]> {
  const run = (flags: readonly string[]) => {
    const trees = from === null ? [to] : [from, to];
    return withinBounds(git, trees, (signal) => runDiff(git, from, to, flags, { ...options, signal }), options.signal);
  };
  if (!options.renames) return run(['--no-renames']);
  try {
    return await run(['-M', `-l${RENAME_LIMIT}`]);
  } catch (error) {
    // A blob that is not here: the same question without contents.
    if (!isSocraticodeError(error, 'GIT_FAILED') && !isSocraticodeError(error, 'UNREADABLE_OBJECT')) throw error;
    return run(['--no-renames']);
  }
}

async function runDiff(
  git: Git,
  from: string | null,
  to: string,
  flags: readonly string[],
  { limit = MAX_CHANGES, signal }: DiffTreesOptions,
): Promise<TreeChange[]> {
  const before = from ?? (to.length === 64 ? EMPTY_TREES.sha256 : EMPTY_TREES.sha1);
  const args = ['diff-tree', '-r', ...RAW_FLAGS, ...flags, '--end-of-options', before, to, '--'];
  const child = git.spawn(args, { signal });
  const ended = childEnd(child);
  // Observed below; until then not "unhandled".
  ended.catch(() => {});
  child.stdin.end();
  const changes: TreeChange[] = [];
  const fields = nulFields(child.stdout);
  try {
    for await (const field of fields) {
      if (changes.push(await readChange(field, fields)) > limit) throw tooManyEntries(limit);
    }
  } catch (error) {
    child.kill('SIGKILL');
    await ended.catch(() => {});
    throw signal?.aborted ? new SocraticodeError('CANCELLED', 'cancelled', { cause: error }) : error;
  }
  const { code, stderr } = await ended;
  if (code !== 0) throw gitFailure(args, code, stderr);
  return changes;
}

/** Raw output with whole oids, and nothing that repository settings could turn into commands. */
export const RAW_FLAGS = ['--raw', '-z', '--no-abbrev', '--no-ext-diff', '--no-textconv', '--ignore-submodules=none'];

/** The fields of NUL-separated output, as bytes, one at a time. Throws BAD_ARGUMENT for one beyond a megabyte. */
export async function* nulFields(stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let at = 0;
    for (let end = data.indexOf(0, at); end >= 0; end = data.indexOf(0, at)) {
      yield data.subarray(at, end);
      at = end + 1;
    }
    rest = data.subarray(at);
    if (rest.length > MAX_FIELD_BYTES) throw new SocraticodeError('BAD_ARGUMENT', 'a path has more than a megabyte');
  }
  if (rest.length > 0) yield rest;
}

const STATUSES: Record<string, ChangeStatus> = { A: 'added', D: 'deleted', T: 'type-changed', R: 'renamed' };

/** One change from its first field (`:100644 100644 OID OID M`) and the paths that follow. Throws GIT_FAILED. */
async function readChange(head: Buffer, fields: AsyncGenerator<Buffer, void>): Promise<TreeChange> {
  const [oldMode, newMode, oldOid, newOid, letter] = head.toString('latin1').replace(/^:/, '').split(' ');
  const first = await nextField(fields);
  const status = STATUSES[letter?.[0]] ?? 'modified';
  const oldPath = status === 'renamed' ? decodePath(first) : undefined;
  const path = oldPath === undefined ? decodePath(first) : decodePath(await nextField(fields));
  return {
    path,
    ...(oldPath === undefined ? {} : { oldPath }),
    oldOid: presentOid(oldOid),
    newOid: presentOid(newOid),
    oldType: presentOid(oldOid) === null ? null : entryType(oldMode),
    newType: presentOid(newOid) === null ? null : entryType(newMode),
    status,
  };
}

async function nextField(fields: AsyncGenerator<Buffer, void>): Promise<Buffer> {
  const next = await fields.next();
  if (next.done) throw new SocraticodeError('GIT_FAILED', 'git diff-tree ended in the middle of an entry');
  return next.value;
}

const NULL_OID = /^0+$/;

/** Git writes zeros where nothing stands. */
export function presentOid(oid: string | undefined): string | null {
  return oid === undefined || NULL_OID.test(oid) ? null : oid;
}
