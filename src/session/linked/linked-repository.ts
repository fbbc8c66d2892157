/** A directory that may be opened, as a repository: is it the top of one, and does that one belong where it says? */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { visibleLine } from '../../base/hygiene.js';
import type { LinkState } from '../../engine/contract/linked.js';
import { realParts } from '../../git/parts.js';
import { openRepository, type Repository } from '../../git/repository.js';
import { readGitConfig } from '../../git/worktree.js';
import { allowCommand, type Consent, isWithin, realPath } from './consent.js';
import type { Link } from './links.js';

export type LinkedRepository = { commonDir: string } | { state: LinkState; reason: string };

const MAX_GITDIR_BYTES = 4_096;

/** `directory`: of a link without refusal. Never throws; reads nothing but where its parts are. */
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
 * A `.git` file can name any repository of this machine. It may name one of this repository (a submodule's) or inside
 * the directory itself; where the user allowed the directory, also one that knows of it in turn.
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

/** Where the git directory, or what it takes parts from, stands. */
function elsewhere(directory: string, repository: Repository, main: Repository): string {
  const isOwn = (path: string) => isWithin(path, directory) || isWithin(path, main.commonDir);
  return realParts(repository)?.find((path) => !isOwn(path)) ?? repository.commonDir;
}

/** Does the git directory name the work tree: as one of its linked ones, or as that of a submodule? */
async function knowsOf(repository: Repository, gitDir: string, directory: string): Promise<boolean> {
  const isTop = (path: string) => realPath(resolve(gitDir, path)) === directory;
  try {
    const text = readFileSync(join(gitDir, 'gitdir'), 'utf8').slice(0, MAX_GITDIR_BYTES);
    if (isTop(dirname(resolve(gitDir, text.trimEnd())))) return true;
  } catch {
    // No linked work tree.
  }
  const config = await readGitConfig(repository.git);
  return config.some(({ key, value, scope }) => key === 'core.worktree' && scope !== 'global' && isTop(value));
}
