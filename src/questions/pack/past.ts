/** History of the files of a pack: files that usually change with them, and who knows them. */
import { isSocraticodeError } from '../../base/errors.js';
import type { Graph } from '../../graph/graph.js';
import { tellingCommits } from '../../history/change-log.js';
import { coupledFiles } from '../../history/coupling.js';
import { ownersOf } from '../../history/owners.js';
import { readChangeLog } from '../../session/history/change-log.js';
import { peopleOf } from '../../session/history/people.js';
import type { Session } from '../../session/session.js';
import type { PackResponse } from './output.js';

export type Past = NonNullable<PackResponse['past']>;

/** Entries of each list: about 100 tokens together. */
const MAX_COUPLED = 3;
const MAX_OWNERS = 2;
/** A smaller pack has no room for them. */
export const LEAST_BUDGET = 1_500;
/** Files whose owners are named: those with most code in the pack. */
const MAX_FILES = 5;

interface Packed {
  graph: Graph;
  commit: string;
  items: PackResponse['items'];
  signal?: AbortSignal;
}

/** Null where the history tells nothing, or cannot be read: a pack is good without it. Throws CANCELLED. */
export async function pastOf(session: Session, { graph, commit, items, signal }: Packed): Promise<Past | null> {
  try {
    const log = await readChangeLog(session, { tip: commit, signal });
    const telling = tellingCommits(log);
    const coupled = coupledFiles(telling, new Set(items.map(({ path }) => path)))
      .filter(({ path }) => graph.findFile(path) >= 0)
      .slice(0, MAX_COUPLED)
      .map(({ path, with: changed, together, of }) => ({ path, with: changed, together, of }));
    const people = await peopleOf(session, log.commits, signal);
    const owners = ownersOf(telling, new Set(mainFiles(items)), people).slice(0, MAX_OWNERS);
    return coupled.length + owners.length === 0 ? null : { coupled, owners };
  } catch (error) {
    if (!isSocraticodeError(error) || error.code === 'CANCELLED') throw error;
    return null;
  }
}

function mainFiles(items: PackResponse['items']): string[] {
  const tokens = new Map<string, number>();
  for (const { path, kind, tokens: each } of items)
    if (kind === 'code') tokens.set(path, (tokens.get(path) ?? 0) + each);
  const files = [...tokens].sort(([, a], [, b]) => b - a).map(([path]) => path);
  return files.slice(0, MAX_FILES);
}
