/** Questions about the tree that branches make when they are merged, before anybody merges them. */
import { SocraticodeError } from '../../base/errors.js';
import { visibleLine } from '../../base/printable.js';
import { withoutLocalFilters, withoutLocalMergeDrivers } from '../../git/config.js';
import { type Merged, mergeInOrder, openScratch, type Scratch } from '../../git/merge.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import { namedOther, workTreeInput } from './branches.js';

interface MergedValues {
  ref?: string;
  committed?: boolean;
  in?: string;
  allRefs?: boolean;
  merged?: readonly string[];
}

/**
 * Asks about the tree of `ref` (default: what is checked out, with its uncommitted files unless `committed`) with all of `merged` merged
 * in. The tree is written into the repository, where no ref leads to it. Throws BAD_ARGUMENT if they do not merge, and UNKNOWN_REF.
 */
export async function askMerged<Document extends object>(
  at: Asker,
  values: MergedValues,
  ask: (at: Asker, values: MergedValues) => Promise<Document>,
): Promise<Document> {
  const { merged = [], ref, committed, ...rest } = values;
  if (values.in !== undefined || values.allRefs) {
    throw new SocraticodeError(
      'BAD_ARGUMENT',
      'what branches make together is one tree: merged, in and allRefs exclude each other',
    );
  }
  const tree = await mergedTree(at, { ref, committed, merged });
  const document = await ask(at, { ...rest, ref: tree });
  const name = [ref ?? 'HEAD', ...merged].join(' + ');
  return 'ref' in document && document.ref === tree ? { ...document, ref: name } : document;
}

async function mergedTree(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  { ref, committed, merged }: { ref?: string; committed?: boolean; merged: readonly string[] },
): Promise<string> {
  const scratch = openScratch(session.repository, { isKept: true });
  try {
    const inputs: { commit: string; tree: string }[] = [];
    const isWorkTree = ref === undefined && committed !== true && session.repository.workTree !== null;
    inputs.push(await inputOf(session, ref ?? 'HEAD', { scratch, isWorkTree, signal }));
    for (const name of merged) inputs.push(await inputOf(session, name, { scratch, signal }));
    const [first, ...others] = inputs;
    const safe = safeGit(session, scratch);
    const found = await mergeInOrder(scratch, { first, others: others.map(({ commit }) => commit), safe }, signal);
    if ('tree' in found) return found.tree;
    throw notMerged([ref ?? 'HEAD', ...merged], found.at, found.why);
  } finally {
    scratch.close();
  }
}

/** Git that runs no filter and no merge driver of the repository's own configuration. */
export function safeGit({ gitConfig }: Pick<Session, 'gitConfig'>, scratch: Scratch): Scratch['git'] {
  return scratch.git.withConfig([...withoutLocalFilters(gitConfig), ...withoutLocalMergeDrivers(gitConfig)]);
}

async function inputOf(
  session: Session,
  name: string,
  { scratch, signal, isWorkTree = false }: { scratch: Scratch; signal: AbortSignal; isWorkTree?: boolean },
): Promise<{ commit: string; tree: string }> {
  const reading = { scratch, accepts: () => true, signal };
  if (isWorkTree) {
    const { commit, tree } = await session.objects.resolve('HEAD');
    if (commit !== null)
      return readAll(name, await workTreeInput(session.repository, { commit, tree }, reading, session.gitConfig));
  }
  const { commit, worktree } = await namedOther(session, name);
  const tree = (await session.objects.info(`${commit}^{tree}`))?.oid ?? '';
  return worktree === null ? { commit, tree } : readAll(name, await workTreeInput(worktree, { commit, tree }, reading));
}

/** A work tree without some of its changes would be another tree than the one that is asked about. */
function readAll<T extends { unknown: readonly string[] }>(name: string, input: T): T {
  if (input.unknown.length === 0) return input;
  throw new SocraticodeError('BAD_ARGUMENT', `${visibleLine(name)} cannot be merged as it is: ${input.unknown[0]}`, {
    hint: 'Commit there, and name the branch.',
  });
}

/** Paths of conflicts that a message names. */
const NAMED = 3;

function notMerged(names: readonly string[], at: number, why: Merged): SocraticodeError {
  const [before, name] = [
    names
      .slice(0, at + 1)
      .map(visibleLine)
      .join(' + '),
    visibleLine(names[at + 1]),
  ];
  if ('failure' in why) return new SocraticodeError('BAD_ARGUMENT', `git could not merge ${name}: ${why.failure}`);
  if (why.conflicts.length === 0)
    return new SocraticodeError('BAD_ARGUMENT', 'this git merges only in a work tree', {
      hint: 'Install git 2.39 or newer.',
    });
  const paths = why.conflicts.slice(0, NAMED).map(({ path }) => visibleLine(path));
  const rest = why.conflicts.length > NAMED ? ', …' : '';
  const found = formatCount(why.conflicts.length, 'conflict');
  return new SocraticodeError(
    'BAD_ARGUMENT',
    `${name} does not merge into ${before}: ${found} (${paths.join(', ')}${rest})`,
    {
      hint: 'git socraticode conflicts --plan names what to merge first, and what to leave out.',
    },
  );
}
