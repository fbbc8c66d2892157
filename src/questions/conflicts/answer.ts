/** `conflicts`: compares this side with every other, from refs alone. */
import { mapConcurrently } from '../../base/concurrently.js';
import { SocraticodeError } from '../../base/errors.js';
import type { Config } from '../../config/types.js';
import { CatFileReader } from '../../git/objects.js';
import { openScratch, type Scratch } from '../../git/scratch.js';
import { withoutLocalFilters, withoutLocalMergeDrivers } from '../../git/worktree.js';
import { cut } from '../../graph/query/place.js';
import { BlobFactsSource } from '../../session/blob-facts.js';
import { pathSelector } from '../../session/history/scope.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { prepareGraph } from '../graph/snapshot-graph.js';
import { listOthers, namedOther, type Other, type Others } from './compare/others.js';
import { type ComparedPair, comparePairs } from './compare/pairs.js';
import { type Side, type WorkTreeOptions, workTreeSide } from './compare/sides.js';
import { Versions } from './compare/versions.js';
import { describePairs } from './describe.js';
import type { ConflictsDocument } from './output.js';
import { type ConflictsValues, LISTED_BRANCHES, LISTED_OF_BRANCH } from './params.js';

/** Work trees that are read at a time. */
const AT_ONCE = 4;

/** Throws UNKNOWN_REF, UNBORN_HEAD, BAD_ARGUMENT for a bad glob, and what indexing throws. */
export async function answerConflicts(at: Asker, values: ConflictsValues): Promise<ConflictsDocument> {
  return retried(at.session, values.ref, async () => {
    const scratch = openScratch(at.session.repository);
    try {
      return await compareAll(at, values, scratch);
    } finally {
      scratch.close();
    }
  });
}

async function compareAll(at: Asker, values: ConflictsValues, scratch: Scratch): Promise<ConflictsDocument> {
  const { session, signal } = at;
  const origin = await session.origin(values.ref);
  const graphing = prepareGraph(at, { ...values, isRetried: true });
  // Awaited below; until then a rejection must not count as unhandled.
  graphing.catch(() => {});
  const { config } = await session.configOfOrigin(origin);
  const accepts = pathSelector({ config }, origin, undefined);
  const { commit, tree, ref } = origin.resolved;
  if (commit === null) {
    throw new SocraticodeError('BAD_ARGUMENT', `${ref} is a tree, which parted from nothing`, {
      hint: 'Name a branch, a tag or a commit.',
    });
  }
  const others = await findOthers(at, commit, values);
  const isWorkTree = values.ref === undefined && values.committed !== true && session.repository.workTree !== null;
  const reading = { scratch, accepts, signal };
  const mine = isWorkTree
    ? await workTreeSide(session.repository, { commit, tree }, reading, session.gitConfig)
    : asCommitted(commit, tree);
  const sides = await mapConcurrently(others.list, AT_ONCE, (other) => sideOf(other, session, reading));
  const safe = [...withoutLocalFilters(session.gitConfig), ...withoutLocalMergeDrivers(session.gitConfig)];
  const options = {
    git: scratch.git.withConfig(safe),
    objects: session.objects,
    repository: session.repository,
    mine,
    signal,
  };
  const all = await comparePairs(options, others.list, sides);
  const pairs = all.filter((pair) => values.branch !== undefined || !isMerged(pair, mine));
  const { header, graph } = await graphing;
  const versions = await openVersions(at, config, scratch);
  try {
    const { limit: listedOfBranch = LISTED_OF_BRANCH } = values;
    const { branches, leftOut } = await describePairs(pairs, { graph, versions, accepts, limit: listedOfBranch });
    const listed = values.branch === undefined ? branches.filter(({ overlap }) => overlap !== 'none') : branches;
    const { old, contained, beyond } = others;
    return {
      ...header,
      uncommitted: mine.uncommitted,
      unknown: mine.unknown,
      compared: pairs.length,
      clean: branches.length - listed.length,
      maxAge: values.maxAge,
      leftOut: { merged: others.merged + all.length - pairs.length, old, contained, beyond, files: leftOut },
      branches: cut(listed, values.limit ?? LISTED_BRANCHES),
    };
  } finally {
    await versions.close();
  }
}

async function findOthers({ session }: Asker, commit: string, values: ConflictsValues): Promise<Others> {
  const { branch, with: globs, maxAge } = values;
  if (branch === undefined) return listOthers(session.repository, { commit, globs, maxAge });
  return { list: [await namedOther(session, branch)], merged: 0, old: 0, contained: 0, beyond: 0 };
}

function asCommitted(commit: string, tree: string): Side {
  return { commit, tree, head: commit, uncommitted: 0, unknown: [] };
}

async function sideOf({ commit, worktree }: Other, { objects }: Session, reading: WorkTreeOptions): Promise<Side> {
  const tree = (await objects.info(`${commit}^{tree}`))?.oid ?? '';
  return worktree === null ? asCommitted(commit, tree) : workTreeSide(worktree, { commit, tree }, reading);
}

/** It brings nothing new: its changes are in this side, be it by a merge of another form. */
function isMerged({ base, theirs, merged, unknown }: ComparedPair, mine: Side): boolean {
  if (unknown.length > 0) return false;
  if (theirs.uncommitted === 0 && base === theirs.head) return true;
  return merged !== null && 'tree' in merged && merged.tree === mine.tree;
}

async function openVersions({ session, signal }: Asker, config: Config, scratch: Scratch): Promise<Versions> {
  const { languages, maxFileBytes } = config;
  const objects = new CatFileReader(scratch.git);
  const committed = new BlobFactsSource(session, { languages, maxFileBytes, signal });
  // Nothing is recorded about blobs that are not in the repository.
  const uncommitted = new BlobFactsSource(session, { languages, maxFileBytes, signal, objects });
  return new Versions({ committed, uncommitted, objects }, async (oid) => (await session.objects.info(oid)) !== null);
}
