/** Answers `owners`: who changed files most, with newer commits weighing more. */
import { cut } from '../../graph/query/place.js';
import { tellingCommits } from '../../history/change-log.js';
import { countChanges } from '../../history/coupling.js';
import { ownersOf } from '../../history/owners.js';
import { People } from '../../history/people.js';
import { retried } from '../../session/retry.js';
import type { Asker } from '../asker.js';
import { allPathsNamed, openPast, windowOf } from '../past/places.js';
import type { OwnersDocument } from './output.js';
import type { OwnersValues } from './question.js';

/** Throws BAD_ARGUMENT for a path that the history does not know, and UNKNOWN_REF. */
export async function answerOwners(at: Asker, values: OwnersValues): Promise<OwnersDocument> {
  return retried(at.session, values.ref, () => answerOnce(at, values));
}

async function answerOnce(at: Asker, { paths = [], ref, limit }: OwnersValues): Promise<OwnersDocument> {
  const past = await openPast(at, ref);
  const named = await allPathsNamed(past, paths.length === 0 ? ['.'] : paths);
  const log = tellingCommits(past.log);
  const owners = ownersOf(log, named, new People(past.log.commits));
  return {
    ...{ schemaVersion: 1, ref: past.ref, commit: past.commit, window: windowOf(past) },
    ...{ paths, files: named.size, changes: countChanges(log, named), owners: cut(owners, limit) },
  };
}
