/** Checks of locks: our own, and the ones that git makes while it writes. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { plainFileAt, standingAt } from '../../../base/atomic.js';
import { lockState } from '../../../base/lock.js';
import { refLocks } from '../../../git/ref-check.js';
import { localStateDirectory, NOTES_PREFIX, type Repository } from '../../../git/repository.js';
import type { Session } from '../../../session/session.js';
import { ageOf, type Finding, fine, wrong } from '../check.js';

const OWN = { 'writer.lock': 'the index is being written', 'hook.lock': 'the worker of the hooks runs' } as const;
/** Age beyond which a lock of git was left by a killed process, or belongs to a stuck one. */
const OLD_MS = 60_000;
const OF_WORK_TREE = ['index.lock', 'HEAD.lock'];
const OF_REPOSITORY = ['packed-refs.lock', 'config.lock', 'shallow.lock'];

/** Never a fault: a lock of ours whose holder is dead is taken over by the next process that needs it. */
export function checkLocks({ repository }: Pick<Session, 'repository'>): Finding {
  const state = localStateDirectory(repository);
  const places = [
    ...Object.entries(OWN).map(([name, what]) => ({ path: join(state, name), what })),
    ...watchers(state),
  ];
  const found = places.flatMap(({ path, what }) => describe(path, what));
  return fine(found.length === 0 ? 'none held' : found.join('; '));
}

/** Work trees that are being watched: each has a lock in its own folder, below the profile's. */
function watchers(state: string): { path: string; what: string }[] {
  return foldersIn(state).flatMap((profile) =>
    foldersIn(join(state, profile))
      .filter((name) => name.startsWith('overlay-'))
      .map((name) => ({ path: join(state, profile, name, 'watch.lock'), what: 'a work tree is watched' })),
  );
}

function describe(path: string, what: string): string[] {
  const stat = standingAt(path);
  if (stat === undefined) return [];
  const holder = lockState(path);
  const since = ageOf(Date.now() - stat.mtimeMs);
  if (holder === null) return [`${path} is ${since} old and nobody's: whoever needs it takes it over`];
  const where = holder.elsewhere === null ? '' : ` on ${holder.elsewhere}`;
  return [`${what}, process ${holder.pid}${where}, for ${since}`];
}

export function checkGitLocks({ repository }: Pick<Session, 'repository'>): Finding[] {
  const { gitDir, commonDir } = repository;
  const others = [
    ...OF_WORK_TREE.map((name) => join(gitDir, name)),
    ...OF_REPOSITORY.map((name) => join(commonDir, name)),
  ];
  const locks = [
    ...others.flatMap((path) => {
      const stat = plainFileAt(path);
      return stat === null ? [] : [{ path, ageMs: Math.abs(Date.now() - stat.mtimeMs) }];
    }),
    ...refLocks(repository as Repository, NOTES_PREFIX),
  ];
  if (locks.length === 0) return [fine('none held')];
  return locks.map(({ path, ageMs }) => {
    const text = `${relative(commonDir, path)} is ${ageOf(ageMs)} old`;
    if (ageMs < OLD_MS) return fine(`${text}: git is at work`);
    return wrong(text, `If no git command runs here, a killed one left it: rm ${path}`);
  });
}

function foldersIn(directory: string): string[] {
  if (!standingAt(directory)?.isDirectory()) return [];
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
}
