/** Checks of the repository itself: where it is, what git made it of, whether it can be written; and what is wrong with a broken one. */

import { accessSync, constants, existsSync, statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readPlainFile, standingAt } from '../../../base/atomic.js';
import { groupDigits } from '../../../base/digits.js';
import { headBranch, localStateDirectory, type Repository } from '../../../git/repository.js';
import { isPartialClone } from '../../../git/worktree.js';
import type { Session } from '../../../session/session.js';
import { type Check, type Finding, fine, wrong } from '../check.js';

/** Less than this is not enough for the next index of a middling repository. */
const MIN_FREE_BYTES = 200 * 1024 * 1024;
const MAX_HEAD_BYTES = 4_096;

export function checkPlace({ gitDir, commonDir, workTree, bare, objectFormat }: Repository): Finding {
  const linked = gitDir === commonDir ? '' : ', a linked work tree';
  const facts = { gitDir, commonDir, workTree, bare, objectFormat };
  return { ...fine(bare ? `${gitDir} (bare)` : `${workTree ?? gitDir}${linked}`), facts };
}

/** HEAD, and what not every repository is. Throws UNREADABLE_OBJECT. */
export async function checkHead(session: Session): Promise<Finding> {
  const { objects, repository } = session;
  const branch = await headBranch(repository);
  const commit = await objects.resolve('HEAD').then(
    (resolved) => resolved.commit,
    (error: { code?: string }) => {
      if (error.code === 'UNBORN_HEAD') return null;
      throw error;
    },
  );
  const where = branch ?? 'detached';
  const facts = { branch, commit };
  return { ...fine(commit === null ? `${where}, no commit yet` : `${where} at ${commit.slice(0, 9)}`), facts };
}

export function checkFeatures({ repository, gitConfig }: Session): Finding {
  const { commonDir, objectFormat } = repository;
  const facts = {
    shallow: existsSync(join(commonDir, 'shallow')),
    partial: isPartialClone(gitConfig),
    sha256: objectFormat === 'sha256',
    reftable: existsSync(join(commonDir, 'reftable', 'tables.list')),
    grafts: existsSync(join(commonDir, 'info', 'grafts')),
    alternates: existsSync(join(commonDir, 'objects', 'info', 'alternates')),
  };
  const names = Object.entries(facts).flatMap(([name, is]) => (is ? [name] : []));
  return { ...fine(names.length === 0 ? 'nothing special' : names.join(', ')), facts };
}

export function checkDisk({ repository }: Pick<Session, 'repository'>): Finding {
  const state = localStateDirectory(repository);
  const place = standingAt(state) === undefined ? repository.commonDir : state;
  if (standingAt(state)?.isSymbolicLink())
    return wrong(`${state} is a symbolic link, which is not followed`, 'Remove it: it is made again.');
  try {
    accessSync(place, constants.W_OK);
  } catch {
    return wrong(`${place} cannot be written to`, 'Check its permissions; what is indexed already can be searched.');
  }
  const { bavail, bsize } = statfsSync(place);
  const free = bavail * bsize;
  const text = `${groupDigits(Math.round(free / 1024 ** 2))} MB free`;
  const check = free < MIN_FREE_BYTES ? wrong(text, 'Free some space.') : fine(`writable, ${text}`);
  return { ...check, facts: { freeBytes: free } };
}

/**
 * Explains why git takes a directory for no repository: finds the nearest `.git` above, and which of its parts is not
 * as it should be. Null where there is no such thing.
 */
export function diagnose(start: string): Check | null {
  const found = nearestGit(resolve(start));
  if (found === null) return null;
  const stat = standingAt(found);
  if (stat?.isFile()) {
    const target = /^gitdir: (.*?)[\r\n]*$/s.exec(textOf(found))?.[1];
    if (target === undefined) return wrong(`${found} names no git directory`, 'It should hold one line: gitdir: PATH');
    const directory = resolve(dirname(found), target);
    if (!existsSync(directory))
      return wrong(
        `${found} leads to ${directory}, which is gone`,
        'In the main work tree: git worktree repair PATH, or git worktree prune and add it again.',
      );
    return faultOf(directory);
  }
  return stat?.isDirectory() ? faultOf(found) : wrong(`${found} is no directory`, 'Remove it, or clone again.');
}

function nearestGit(start: string): string | null {
  for (let at = start; ; at = dirname(at)) {
    if (standingAt(join(at, '.git')) !== undefined) return join(at, '.git');
    if (dirname(at) === at) return null;
  }
}

function faultOf(directory: string): Check | null {
  const head = textOf(join(directory, 'HEAD')).trim();
  const common = resolve(directory, textOf(join(directory, 'commondir')).trim() || '.');
  if (!/^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})$/.test(head)) {
    const what = existsSync(join(directory, 'HEAD')) ? 'says nothing that git understands' : 'is missing';
    return wrong(
      `${join(directory, 'HEAD')} ${what}`,
      `Write into it the branch that was checked out: ref: refs/heads/NAME (${join(directory, 'logs', 'HEAD')} may tell)`,
    );
  }
  for (const part of ['objects', 'refs']) {
    if (existsSync(join(common, part))) continue;
    const hint = part === 'refs' ? `mkdir ${join(common, part)}` : 'Clone again: the content of the files is gone.';
    return wrong(`${join(common, part)} is missing`, hint);
  }
  return null;
}

function textOf(path: string): string {
  try {
    return readPlainFile(path, MAX_HEAD_BYTES)?.toString('utf8') ?? '';
  } catch {
    return '';
  }
}
