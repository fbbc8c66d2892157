/** The document: what was found for each side, the worst first. */
import type { Graph } from '../../graph/graph.js';
import { cut, isTestCode } from '../../graph/query/place.js';
import type { ChangedFile } from './compare/changes.js';
import { bothChanged, byRank, changeUsed, type PossibleUse, possibleUses, sharedSymbols } from './compare/overlaps.js';
import type { ComparedPair } from './compare/pairs.js';
import type { Versions } from './compare/versions.js';
import type { BranchOverlap, SharedSymbol, SharedUse } from './output.js';

interface Described {
  graph: Graph;
  versions: Versions;
  /** Files whose symbols are compared. */
  accepts: (path: string) => boolean;
  limit: number;
}

/** A pair with the files of it that have to be read. */
interface Planned {
  pair: ComparedPair;
  both: { path: string; mine: ChangedFile; theirs: ChangedFile }[];
  uses: PossibleUse[];
}

/** Describes all pairs; the second number counts files whose symbols were not compared, since there are too many. */
export async function describePairs(
  pairs: readonly ComparedPair[],
  options: Described,
): Promise<{ branches: BranchOverlap[]; leftOut: number }> {
  const left = new Set<string>();
  const planned = pairs.map((pair) => plan(pair, options, left));
  await options.versions.read();
  const branches: BranchOverlap[] = [];
  for (const each of planned) branches.push(await describePair(each, options));
  const rank = ({ overlap }: BranchOverlap) => OVERLAPS.indexOf(overlap);
  const size = ({ merge, symbols, uses }: BranchOverlap) =>
    [merge, symbols, uses].reduce((sum, { list, leftOut }) => sum + list.length + leftOut, 0);
  // A stable sort: the newest stays first.
  branches.sort((a, b) => rank(a) - rank(b) || size(b) - size(a));
  return { branches, leftOut: left.size };
}

const OVERLAPS = ['merge', 'symbols', 'uses', 'unknown', 'none'];

function plan(pair: ComparedPair, { graph, versions, accepts }: Described, left: Set<string>): Planned {
  const { files } = pair;
  if (files === null) return { pair, both: [], uses: [] };
  const want = (file: ChangedFile) => {
    const isWanted = versions.want(file);
    if (!isWanted) left.add((file.after ?? file.before)?.path ?? '');
    return isWanted;
  };
  const both = bothChanged(files.mine, files.theirs).flatMap((path) => {
    const [mine, theirs] = [files.mine.get(path), files.theirs.get(path)];
    if (mine === undefined || theirs === undefined || !accepts(path)) return [];
    // Both made the same change.
    if (mine.after?.oid === theirs.after?.oid) return [];
    return want(mine) && want(theirs) ? [{ path, mine, theirs }] : [];
  });
  const uses = possibleUses(graph, files.mine, files.theirs).filter(({ from, target }) => want(from) && want(target));
  return { pair, both, uses };
}

async function describePair({ pair, both, uses }: Planned, options: Described): Promise<BranchOverlap> {
  const { other, theirs, base, files, merged } = pair;
  const { versions, limit } = options;
  const shared = new Map<string, SharedSymbol[]>();
  for (const { path, mine, theirs } of both) {
    const [own, their] = [versions.symbolsOf(mine), versions.symbolsOf(theirs)];
    if (own !== null && their !== null)
      shared.set(mine.after?.path ?? path, sharedSymbols(mine.after?.path ?? path, own, their));
  }
  const symbols = [...shared.values()].flat().sort(bySymbol);
  const conflicts = merged !== null && 'conflicts' in merged ? merged.conflicts : [];
  const merge = conflicts.map(({ path, kind }) => {
    const named = (shared.get(path) ?? []).map(({ symbol }) => symbol);
    return { path, kind, symbols: named };
  });
  const used = findUses(uses, options);
  return {
    name: other.name,
    kind: other.kind,
    alias: other.alias,
    commit: other.commit,
    base,
    uncommitted: theirs.uncommitted,
    overlap: overlapOf([merge, symbols, used, pair.unknown]),
    files: { mine: files?.mine.size ?? 0, theirs: files?.theirs.size ?? 0, both: countBoth(pair) },
    merge: cut(merge, limit),
    symbols: cut(symbols, limit),
    uses: {
      list: await Promise.all(used.slice(0, limit).map((use) => describeUse(use, options))),
      leftOut: Math.max(0, used.length - limit),
    },
    unknown: pair.unknown,
  };
}

/** Code before documents and data, then what changed most. */
function bySymbol(a: SharedSymbol, b: SharedSymbol): number {
  const plain = ({ kind }: SharedSymbol) => Number(PLAIN.has(kind));
  return plain(a) - plain(b) || byRank(a.theirs, b.theirs) || byRank(a.mine, b.mine);
}

const PLAIN: ReadonlySet<string> = new Set(['section', 'table', 'selector', 'key']);

function countBoth({ files }: ComparedPair): number {
  return files === null ? 0 : bothChanged(files.mine, files.theirs).length;
}

function overlapOf(lists: readonly (readonly unknown[])[]): BranchOverlap['overlap'] {
  const [merge, symbols, uses, unknown] = lists.map((list) => list.length > 0);
  return merge ? 'merge' : symbols ? 'symbols' : uses ? 'uses' : unknown ? 'unknown' : 'none';
}

interface FoundUse extends PossibleUse {
  symbol: string;
  word: SharedUse['target']['change'];
}

/** One for each pair of a using and a used symbol. */
function findUses(possible: readonly PossibleUse[], { graph, versions }: Described): FoundUse[] {
  const found = new Map<string, FoundUse>();
  for (const use of possible) {
    const met = changeUsed(graph, use, versions);
    const key = `${graph.source(use.edge)} ${graph.target(use.edge)}`;
    if (met !== null && !found.has(key)) found.set(key, { ...use, symbol: met.symbol, word: met.change.word });
  }
  const isTest = ({ edge }: FoundUse) => Number(isTestCode(graph, graph.source(edge)));
  return [...found.values()].sort((a, b) => byRank(a.word, b.word) || isTest(a) - isTest(b));
}

async function describeUse(use: FoundUse, { graph, versions }: Described): Promise<SharedUse> {
  const { edge, target, symbol, word } = use;
  const source = graph.source(edge);
  const isSignature = word === 'signature' || word === 'removed';
  return {
    path: graph.path(source),
    line: Math.max(1, graph.tables.edgeLine[edge]),
    symbol: graph.isFile(source) ? null : graph.qualifiedName(source),
    use: graph.edgeKind(edge),
    target: {
      path: graph.path(graph.target(edge)),
      symbol,
      change: word,
      was: isSignature ? await versions.signature(target.before, symbol) : null,
      now: word === 'signature' ? await versions.signature(target.after, symbol) : null,
    },
  };
}
