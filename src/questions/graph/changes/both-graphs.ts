/** First step of questions about a change: the graphs before and after it. */
import { resolve } from 'node:path';
import { isSocraticodeError, SocraticodeError } from '../../../base/errors.js';
import type { PreparedGraph } from '../../../session/graph/graphs.js';
import { mergeBase, type Range } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import { type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';

export interface BothGraphs {
  /** Graph before the change; null if nothing is committed yet. */
  before: PreparedGraph | null;
  /** Graph after the change. */
  after: GraphAndHeader;
  /** Ref of the graph before the change as the user named it, with its commit. For `A...B` this is the merge base. */
  from: { ref: string; commit: string | null };
  /** True if the graph after the change is that of the work tree, with its uncommitted changes. */
  isWorkTree: boolean;
}

/**
 * Prepares the graph after the change first: it is linked most of the time, and the older one is then linked from it,
 * which costs only the files that differ. `range` null means the uncommitted changes; with `staged` those in the index.
 * Throws UNKNOWN_REF, and BAD_ARGUMENT if the work tree is requested and there is none.
 */
export async function prepareBothGraphs(
  at: Asker,
  range: Range | null,
  values: { ref?: string; committed?: boolean; staged?: boolean } = {},
): Promise<BothGraphs> {
  const { session, signal } = at;
  const { committed, staged = false } = values;
  if (range === null && session.repository.workTree === null) {
    throw new SocraticodeError('BAD_ARGUMENT', 'this repository has no work tree, so nothing in it is uncommitted', {
      hint: 'Name a range like main..feature.',
    });
  }
  const ref = staged ? await stagedTree(at) : (values.ref ?? range?.to);
  const after = await prepareGraph(at, { ref, committed });
  const isWorkTree = ref === undefined && committed !== true;
  if (range === null && !staged && after.origin.resolved.commit === null)
    return { before: null, after, from: { ref: 'HEAD', commit: null }, isWorkTree };
  const { from = 'HEAD', to = 'HEAD', symmetric = false } = range ?? {};
  const name = symmetric ? await mergeBase(session, from, to) : from;
  // A commit, not a branch: the graph of HEAD is the committed one, whatever the work tree holds.
  const { commit, tree } = await headOr(session, name, staged);
  const { graphsOf } = await import('../../../session/graph/graphs.js');
  const before = tree === null ? null : await graphsOf(session).prepare({ ref: commit ?? tree, signal });
  if (staged) after.header.ref = 'the index';
  return { before, after, from: { ref: from, commit }, isWorkTree };
}

async function stagedTree({ session, directory, command }: Asker): Promise<string> {
  const { gitConfig, repository } = session;
  // In a hook of `git commit -a` and `git commit FILE`, git names the index of the new commit. As with GIT_DIR, a
  // directory that the user named has precedence.
  const index = directory === undefined ? command?.io.env.GIT_INDEX_FILE : undefined;
  const git = index ? repository.git.withEnvironment({ GIT_INDEX_FILE: resolve(index) }) : repository.git;
  const [{ writeStagedTree }, { withoutLocalFilters }] = await Promise.all([
    import('../../../git/repository.js'),
    import('../../../git/repository.js'),
  ]);
  // Writing a tree runs files through their filters if they may have changed within one tick of the clock.
  return writeStagedTree(git.withConfig(withoutLocalFilters(gitConfig)));
}

/** HEAD; before the first commit staged changes are compared with the empty tree. */
async function headOr({ objects }: Asker['session'], name: string, staged: boolean) {
  try {
    return await objects.resolve(name);
  } catch (error) {
    if (!staged || !isSocraticodeError(error, 'UNBORN_HEAD')) throw error;
    return { commit: null, tree: null };
  }
}

/** Throws BAD_ARGUMENT if staged changes are requested together with a range. */
export function checkStaged(
  { staged, committed, ref }: { staged?: boolean; committed?: boolean; ref?: string },
  target: string,
): void {
  if (!staged || (target === '' && !committed && ref === undefined)) return;
  throw new SocraticodeError('BAD_ARGUMENT', 'what is staged is compared with HEAD, so nothing else can be named', {
    hint: 'Leave out the range, the ref and what leaves uncommitted files out, or ask for something else than what is staged.',
  });
}
