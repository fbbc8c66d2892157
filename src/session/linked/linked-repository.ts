/** Checks that an allowed directory is the top of a repository, and that the repository belongs to that directory. */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { visibleLine } from '../../base/hygiene.js';
import { realParts } from '../../git/parts.js';
import { openRepository, type Repository } from '../../git/repository.js';
import { readGitConfig } from '../../git/worktree.js';
import type { LinkState } from '../../questions/results/output.js';
import { allowCommand, type Consent, isWithin, realPath } from './consent.js';
import type { Link } from './links.js';

type LinkedRepository = { commonDir: string } | { state: LinkState; reason: string };

const MAX_GITDIR_BYTES = 4_096;

/** `directory`: that of a link without refusal. Never throws; reads only the paths of the repository's parts. */
export async function inspectLink(
  link: Link,
  directory: string,
  main: Repository,
  consent: Consent,
): Promise<LinkedRepository> {
  let repository: Repository;
  try {
    repository = await openRepository(directory);
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    const state = error.code === 'NOT_A_REPOSITORY' ? 'not-a-repository' : 'failed';
    return { state, reason: state === 'failed' ? `${error.message}; ${error.hint}` : 'no git repository is there' };
  }
  const top = realPath(repository.workTree ?? repository.gitDir);
  if (repository.commonDir === main.commonDir) {
    const reason = top === directory ? 'a work tree of this repository' : 'part of this repository';
    return { state: 'same', reason };
  }
  if (top === null || top !== directory || (repository.workTree === null && !repository.bare))
    return { state: 'not-a-repository', reason: 'it is not the top of a work tree, and no bare repository' };
  if (await belongsHere(link, directory, repository, main, consent)) return { commonDir: repository.commonDir };
  const place = elsewhere(directory, repository, main);
  const reason = `its git directory is ${visibleLine(place)}; to allow that: ${allowCommand(place)}`;
  return { state: 'not-allowed', reason };
}

/**
 * A `.git` file can name any repository of this machine. Accepted are one inside this repository (a submodule's), one inside the
 * directory itself and, if the user allowed the directory, one that lists the directory as its work tree.
 */
async function belongsHere(
  link: Link,
  directory: string,
  repository: Repository,
  main: Repository,
  consent: Consent,
): Promise<boolean> {
  const gitDir = realPath(repository.gitDir) ?? repository.gitDir;
  const { commonDir } = repository;
  const isNear = (path: string) =>
    isWithin(path, directory) || isWithin(path, main.commonDir) || consent.isAllowed(path);
  if (realParts(repository)?.every(isNear)) return true;
  if (!link.trusted) return false;
  const isOfTree = commonDir === gitDir || dirname(dirname(gitDir)) === commonDir;
  return isOfTree && (await knowsOf(repository, gitDir, directory));
}

/** Returns the first part of the repository that lies elsewhere. */
function elsewhere(directory: string, repository: Repository, main: Repository): string {
  const isOwn = (path: string) => isWithin(path, directory) || isWithin(path, main.commonDir);
  return realParts(repository)?.find((path) => !isOwn(path)) ?? repository.commonDir;
}

/** Returns whether the git directory names the work tree, as a linked one or as that of a submodule. */
async function knowsOf(repository: Repository, gitDir: string, directory: string): Promise<boolean> {
  const isTop = (path: string) => realPath(resolve(gitDir, path)) === directory;
  try {
    const text = readFileSync(join(gitDir, 'gitdir'), 'utf8').slice(0, MAX_GITDIR_BYTES);
    if (isTop(dirname(resolve(gitDir, text.trimEnd())))) return true;
  } catch {
    // Not a linked work tree.
  }
  const config = await readGitConfig(repository.git);
  return config.some(({ key, value, scope }) => key === 'core.worktree' && scope !== 'global' && isTop(value));
}
