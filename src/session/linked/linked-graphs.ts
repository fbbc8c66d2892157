/** Asks linked repositories what they use of this one. */
import type { LinkedFacts } from '../../graph/across/facts.js';
import type { LinkedAnswer } from '../../questions/results/output.js';
import { GraphPreparer } from '../graph/prepare.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { linkedFacts } from './linked-facts.js';
import { inspectLink } from './linked-repository.js';
import { findLinks } from './links.js';
import { type Answered, type LinkAccess, OtherRepositories, type Searchable, statesOf } from './other-repositories.js';

export interface LinkedRepository extends Omit<LinkedAnswer, 'results'> {
  /** Null for a repository that could not be asked. */
  facts: LinkedFacts | null;
}

/** Facts of each linked repository at its own HEAD, uncommitted files included. Failures of one are part of the answer. */
export async function linkedRepositories(
  session: Session,
  origin: SnapshotOrigin,
  { access, signal }: { access: LinkAccess; signal?: AbortSignal },
): Promise<LinkedRepository[]> {
  const others = new OtherRepositories(factsOf, access, signal);
  const { list, consent } = await findLinks(session, origin);
  const asking = others.ask(list, (link, directory) => inspectLink(link, directory, session.repository, consent));
  asking.catch(() => {});
  try {
    const outcomes = await others.outcomes(asking, list);
    const { config } = await session.configOfOrigin(origin);
    const states = statesOf(outcomes, config.projectId);
    return states.map((state, i) => ({ ...state, facts: outcomes[i].response?.facts ?? null }));
  } finally {
    others.stop();
  }
}

async function factsOf(repository: Searchable, signal: AbortSignal): Promise<Answered & { facts: LinkedFacts }> {
  const { session, graphs } = repository;
  const source = graphs === undefined ? new GraphPreparer(session) : await graphs();
  const prepared = await source.prepare({ signal });
  const { commit } = prepared.origin.resolved;
  return { commit, coverage: prepared.coverage, facts: await linkedFacts(session, prepared, signal) };
}
