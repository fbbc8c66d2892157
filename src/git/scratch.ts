/**
 * A temporary object directory over that of a repository: git writes the objects of trial merges and of uncommitted files there,
 * and nothing into the repository.
 *
 *     const scratch = openScratch(repository);
 *     const { commit, tree } = await scratch.commitFiles(repository, { parent, names, config });
 *     scratch.close();
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { SocraticodeError } from '../base/errors.js';
import { visibleLine } from '../base/hygiene.js';
import type { Git } from './process.js';
import type { Repository } from './repository.js';
import { type ConfigEntry, withoutLocalFilters } from './worktree.js';

export interface Scratch {
  /** Git of the repository that writes objects here. */
  git: Git;
  /** Commits `parent` with the named files as they are in the work tree of `repository`. Throws GIT_FAILED. */
  commitFiles(repository: Repository, files: FilesToCommit): Promise<{ commit: string; tree: string }>;
  close(): void;
}

interface FilesToCommit {
  parent: string;
  /** Bytes of paths, from the top of the work tree; a path that is gone is removed. */
  names: readonly Buffer[];
  config: readonly ConfigEntry[];
}

/** The commit is never shown; git asks for somebody. */
const NOBODY = {
  ...{ GIT_AUTHOR_NAME: 'nobody', GIT_AUTHOR_EMAIL: 'nobody', GIT_AUTHOR_DATE: '@1 +0000' },
  ...{ GIT_COMMITTER_NAME: 'nobody', GIT_COMMITTER_EMAIL: 'nobody', GIT_COMMITTER_DATE: '@1 +0000' },
};

/** The caller closes it. Throws DISK. */
export function openScratch(repository: Repository): Scratch {
  const folder = makeFolder(tmpdir());
  const objects = join(folder, 'objects');
  mkdirSync(objects);
  const env = {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: quoted(join(repository.commonDir, 'objects')),
  };
  let indexes = 0;
  return {
    git: repository.git.withEnvironment(env),
    async commitFiles({ git }, { parent, names, config }) {
      // Writing a tree, too, reads files that may have changed within the tick of the clock, and through their filters.
      const safe = git.withConfig(withoutLocalFilters(config));
      const at = safe.withEnvironment({ ...env, ...NOBODY, GIT_INDEX_FILE: join(folder, `index-${indexes++}`) });
      await at.run(['read-tree', parent]);
      const input = Buffer.concat(names.flatMap((name) => [name, Buffer.from([0])]));
      const add = ['update-index', '-z', '--add', '--remove', '--replace', '--stdin'];
      await at.run(add, { input });
      const tree = await at.text(['write-tree']);
      return { tree, commit: await at.text(['commit-tree', tree, '-p', parent], { input: 'uncommitted' }) };
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function makeFolder(parent: string): string {
  try {
    return mkdtempSync(join(parent, 'git-socraticode-'));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new SocraticodeError('DISK', `no temporary folder can be made in ${visibleLine(parent)} (${code})`, {
      hint: 'Set TMPDIR to a directory that can be written, or make room in this one.',
      cause,
    });
  }
}

/** A path in the list of alternates; one that holds the separator is quoted as in C. */
function quoted(path: string): string {
  const isPlain = !path.includes(delimiter) && !path.startsWith('"');
  return isPlain ? path : `"${path.replace(/["\\]/g, '\\$&')}"`;
}
