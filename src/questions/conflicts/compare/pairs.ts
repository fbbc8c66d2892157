/** This side with each other side: where they parted, what both changed since, and whether git can merge them. */
import { mapConcurrently } from '../../../base/concurrently.js';
import { isSocraticodeError } from '../../../base/errors.js';
import { diffTreePairs, diffTrees } from '../../../git/diff.js';
import { readShallow } from '../../../git/log.js';
import { mergeBases } from '../../../git/merge-bases.js';
import { type Merged, mergeTrees } from '../../../git/merge-tree.js';
import type { ObjectReader } from '../../../git/objects.js';
import type { Git } from '../../../git/process.js';
import type { Repository } from '../../../git/repository.js';
import { type ChangedFiles, changedFiles, mayConflict } from './changes.js';
import type { Other } from './others.js';
import type { Side } from './sides.js';

export interface ComparedPair {
  other: Other;
  theirs: Side;
  base: string | null;
  /** Null where they cannot be compared. */
  files: { mine: ChangedFiles; theirs: ChangedFiles } | null;
  merged: Merged | null;
  unknown: string[];
}

interface PairOptions {
  /** Git that may write objects, with safe settings. */
  git: Git;
  /** Reads objects of the repository. */
  objects: ObjectReader;
  repository: Repository;
  mine: Side;
  signal: AbortSignal;
}

/** Git commands that run at a time. */
const AT_ONCE = 4;

export async function comparePairs(
  options: PairOptions,
  others: readonly Other[],
  sides: readonly Side[],
): Promise<ComparedPair[]> {
  const { git, repository, mine, signal } = options;
  const heads = sides.map(({ head }) => head);
  const bases = await mergeBases(git, mine.head, heads, signal);
  const isShallow = readShallow(repository).size > 0;
  const why = isShallow ? 'this clone is shallow: git fetch --unshallow' : 'they have no common ancestor';
  const pairs = others.map((other, i): ComparedPair => {
    const [base, theirs] = [bases[i], sides[i]];
    const unknown = base === null ? [`where they parted is not known, since ${why}`] : [];
    return { other, theirs, base, files: null, merged: null, unknown: [...theirs.unknown, ...unknown] };
  });
  await compareFiles(options, pairs);
  const risky = pairs.filter(({ files }) => files !== null && mayConflict(files.mine, files.theirs));
  const merges = risky.map(({ base, theirs }) => ({
    base: base ?? '',
    ours: options.mine.commit,
    theirs: theirs.commit,
  }));
  // Two of them, since each merges one pair after the other.
  const half = Math.ceil(merges.length / 2);
  const parts = [merges.slice(0, half), merges.slice(half)].map((part) =>
    mergeTrees(options.git, part, options.signal),
  );
  for (const [i, merged] of (await Promise.all(parts)).flat().entries()) {
    risky[i].merged = merged;
    if ('failure' in merged) risky[i].unknown.push(`git could not merge it: ${merged.failure}`);
  }
  return pairs;
}

/** Fills in the changed files of both sides. */
async function compareFiles(
  { git, objects, mine, signal }: PairOptions,
  pairs: readonly ComparedPair[],
): Promise<void> {
  const wanted = new Map<string, [from: string, to: string]>();
  const keyOf = (base: string, tree: string) => `${base} ${tree}`;
  for (const { base, theirs } of pairs) {
    if (base === null) continue;
    const from = (await objects.info(`${base}^{tree}`))?.oid ?? base;
    for (const { tree } of [mine, theirs]) wanted.set(keyOf(base, tree), [from, tree]);
  }
  const keys = [...wanted.keys()];
  const lists = await diffAll(git, [...wanted.values()], signal);
  const found = new Map(keys.map((key, i) => [key, lists[i]]));
  for (const pair of pairs) {
    const { base, theirs } = pair;
    if (base === null) continue;
    const [own, their] = [mine.tree, theirs.tree].map((tree) => found.get(keyOf(base, tree)));
    if (own instanceof Map && their instanceof Map) pair.files = { mine: own, theirs: their };
    else pair.unknown.push(`its files could not be compared: ${[own, their].find((each) => typeof each === 'string')}`);
  }
}

/** Changed files of each pair of trees, or why they are not known. */
async function diffAll(
  git: Git,
  pairs: readonly [from: string, to: string][],
  signal: AbortSignal,
): Promise<(ChangedFiles | string)[]> {
  try {
    const found: ChangedFiles[] = [];
    for await (const changes of diffTreePairs(git, pairs, { renames: true, signal })) found.push(changedFiles(changes));
    return found;
  } catch (error) {
    if (!isSocraticodeError(error) || error.code === 'CANCELLED') throw error;
  }
  // One of them fails, such as in a partial clone that lacks a blob: each by itself.
  return mapConcurrently(pairs, AT_ONCE, async ([from, to]) => {
    try {
      return changedFiles(await diffTrees(git, from, to, { renames: true, signal }));
    } catch (error) {
      if (!isSocraticodeError(error) || error.code === 'CANCELLED') throw error;
      return error.message;
    }
  });
}
