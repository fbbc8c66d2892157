/** Each side as one commit: that of a work tree has its uncommitted files as well, in a scratch of its own. */
import { lstatSync, realpathSync } from 'node:fs';
import { isSocraticodeError } from '../../../base/errors.js';
import { readChanges, type WorkTreeChange } from '../../../git/changes.js';
import type { Repository } from '../../../git/repository.js';
import type { Scratch } from '../../../git/scratch.js';
import { type ConfigEntry, readGitConfig } from '../../../git/worktree.js';
import { pathOf } from '../../../overlay/work-file.js';

export interface Side {
  /** Commit to merge: of the scratch where something is uncommitted. */
  commit: string;
  tree: string;
  /** Commit in the repository. */
  head: string;
  /** Uncommitted files in it. */
  uncommitted: number;
  /** Reasons why it is not the whole side. */
  unknown: string[];
}

export interface WorkTreeOptions {
  scratch: Scratch;
  /** Files that are looked at: untracked ones must be among them. */
  accepts: (path: string) => boolean;
  signal: AbortSignal;
}

/** A longer file is not merged by people, and a copy of it would fill the temporary folder. */
const MAX_FILE_BYTES = 16 << 20;
const MAX_FILES = 5_000;

/** The side of a work tree. `config`: its git configuration, where it is known. */
export async function workTreeSide(
  repository: Repository,
  { commit: head, tree }: { commit: string; tree: string },
  { scratch, accepts, signal }: WorkTreeOptions,
  config?: readonly ConfigEntry[],
): Promise<Side> {
  const committed: Side = { commit: head, tree, head, uncommitted: 0, unknown: [] };
  try {
    const settings = config ?? (await readGitConfig(repository.git));
    const changes = await readChanges(repository, settings, [], signal);
    if (changes.commit !== head) return { ...committed, unknown: ['its HEAD moved while it was read'] };
    const wanted = changes.list.filter(({ path, headOid }) => headOid !== null || accepts(path));
    const files = wanted.filter((change) => isSmall(repository, change)).slice(0, MAX_FILES);
    const leftOut = wanted.length - files.length;
    const unknown = leftOut > 0 ? [`${leftOut} uncommitted files are too large or too many`] : [];
    if (files.length === 0) return { ...committed, unknown };
    const names = files.map(({ name }) => name);
    const made = await scratch.commitFiles(repository, { parent: head, names, config: settings });
    return { ...made, head, uncommitted: files.length, unknown };
  } catch (error) {
    if (!isSocraticodeError(error) || error.code === 'CANCELLED') throw error;
    return { ...committed, unknown: [`its uncommitted changes could not be read: ${error.message}`] };
  }
}

function isSmall({ workTree }: Repository, { name, isFile }: WorkTreeChange): boolean {
  if (!isFile || workTree === null) return true;
  const root = realpathSync.native(workTree, { encoding: 'buffer' });
  const stat = lstatSync(pathOf(root, name), { throwIfNoEntry: false });
  return stat === undefined || stat.size <= MAX_FILE_BYTES;
}
