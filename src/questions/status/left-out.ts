/** `status --left-out`: every file that is not indexed, grouped by the rule that leaves it out. */
import { SocraticodeError } from '../../base/errors.js';
import { nearestPaths, spellings } from '../../graph/query/node-place.js';
import { retried } from '../../session/retry.js';
import { prefixOf } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { folderTest, type LeftOut, openFiles, openSnapshotPaths } from '../explain/answer.js';
import { nextStep } from '../explain/reasons.js';
import type { LeftOutResponse } from './question.js';

/** Default number of files listed in each group. */
export const LISTED = 10;

interface LeftOutQuestion {
  ref?: string;
  /** A folder or file, as typed. */
  below: string;
  limit?: number;
}

/** Throws UNKNOWN_REF, BAD_CONFIG, and BAD_ARGUMENT for a path that is missing, or outside of the repository. */
export function answerLeftOut(at: Asker, question: LeftOutQuestion): Promise<LeftOutResponse> {
  return retried(at.session, question.ref, () => leftOutOf(at, question));
}

async function leftOutOf(
  { session, directory, signal }: Asker,
  { ref, below, limit = LISTED }: LeftOutQuestion,
): Promise<LeftOutResponse> {
  const paths = await openSnapshotPaths(session, { ref });
  const all = [...new Set([...paths.entries.keys(), ...paths.changes.keys()])];
  const folder = folderOf(below, spellings(below, prefixOf(session, directory)), all);
  const wanted = all.filter((path) => path === folder || folderTest(folder)(path));
  if (wanted.length === 0 && folder !== '') throw unknown(folder, all);
  const byName = wanted.map((path) => ({ path, found: paths.rules.byName({ path, type: paths.typeOf(path) }) }));
  const selected = byName.flatMap(({ path, found }) => (found === null ? [path] : []));
  const files = await openFiles(session, paths, { selected, signal });
  const groups = new Map<string, LeftOut & { paths: string[] }>();
  for (const { path, found } of byName) {
    const leftOut = found ?? files.leftOut(path);
    if (leftOut === null || leftOut.reason === 'deleted') continue;
    const key = JSON.stringify([leftOut.reason, leftOut.rule]);
    const group = groups.get(key) ?? { ...leftOut, paths: [] };
    groups.set(key, group);
    group.paths.push(path);
  }
  const { resolved } = paths.origin;
  const sorted = [...groups.values()].sort((a, b) => b.paths.length - a.paths.length);
  return {
    schemaVersion: 1,
    ref: resolved.ref,
    commit: resolved.commit,
    below: folder,
    total: wanted.length,
    leftOut: sorted.reduce((sum, group) => sum + group.paths.length, 0),
    groups: sorted.map(({ reason, rule, bytes = 0, paths: [first, ...rest] }) => ({
      reason,
      rule,
      count: rest.length + 1,
      paths: [first, ...rest].slice(0, limit),
      next: nextStep(reason, { path: first, bytes, ref }),
    })),
  };
}

function unknown(path: string, all: readonly string[]): SocraticodeError {
  const near = nearestPaths(all, path);
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : 'Paths are read from the current directory.';
  return new SocraticodeError('BAD_ARGUMENT', `no file or folder ${path} in this snapshot`, { hint });
}

/** First spelling at or below which there are files; '.' is the top. */
function folderOf(typed: string, spelled: readonly string[], all: readonly string[]): string {
  if (typed === '') return '';
  const folders = spelled.map((path) => (path === '.' || path === './' ? '' : path.replace(/\/+$/, '')));
  return folders.find((folder) => all.some((path) => path === folder || folderTest(folder)(path))) ?? folders[0];
}
