/** Symbols that two branches both change, and changed code of one branch that uses symbols changed by the other; the worst first. */
import { getOrMake } from '../../base/lists.js';
import { qualifiedName } from '../../extract/collect-drafts.js';
import type { ObjectReader } from '../../git/objects.js';
import type { Graph } from '../../graph/graph.js';
import { cut, isTestCode } from '../../graph/query/node-place.js';
import { signatureText } from '../../graph/query/signatures.js';
import { lastNodeOf } from '../../graph/query/uses.js';
import type { FileVersion } from '../../history/file-versions.js';
import type { FileDiff, SymbolChange, SymbolDigest } from '../../history/symbol-diff.js';
import type { BlobFactsSource } from '../../session/blob-facts.js';
import { type ComparedVersions, compareSymbols } from '../../session/history/symbol-changes.js';
import type { ChangedFile, ChangedFiles, ComparedPair } from './branches.js';
import type { BranchOverlap, ChangeWord, SharedSymbol, SharedUse } from './question.js';

interface Described {
  graph: Graph;
  versions: Versions;
  /** Selects files whose symbols are compared. */
  accepts: (path: string) => boolean;
  limit: number;
}

/** A pair with those of its files that have to be read. Planning only registers them with `Versions`. */
interface Planned {
  pair: ComparedPair;
  both: { path: string; mine: ChangedFile; theirs: ChangedFile }[];
  uses: PossibleUse[];
}

/** Describes all pairs. The second number counts files whose symbols were not compared, since there are too many. */
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
  // The sort is stable: among equals, the newest stays first.
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
    // Both branches made the same change.
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

/** Sorts code before documents and data, then by size of the change. */
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

/** One entry for each pair of a using and a used symbol. */
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

/** Files that both branches change, by their path at the merge base. */
function bothChanged(mine: ChangedFiles, theirs: ChangedFiles): string[] {
  const [small, large] = mine.size < theirs.size ? [mine, theirs] : [theirs, mine];
  return [...small.keys()].filter((path) => large.has(path));
}

/** Symbols of a file that both branches change, each in its own way. */
function sharedSymbols(path: string, mine: FileSymbols, theirs: FileSymbols): SharedSymbol[] {
  const found = new Map<string, SharedSymbol>();
  const add = (symbol: string, own: ChangedSymbol | undefined, other: ChangedSymbol | undefined) => {
    if (own === undefined || other === undefined || found.has(symbol) || isSame(own, other)) return;
    const { kind, startLine } = own.digest.symbol === symbol ? own.digest : other.digest;
    const line = own.word === 'removed' ? null : own.digest.symbol === symbol ? startLine : own.digest.startLine;
    found.set(symbol, { path, symbol, kind, line, mine: own.word, theirs: other.word });
  };
  for (const [symbol, own] of mine.changed) add(symbol, own, changeOf(theirs, symbol));
  for (const [symbol, other] of theirs.changed) add(symbol, changeOf(mine, symbol), other);
  return [...found.values()];
}

/** True if both changes have the same result. */
function isSame(a: ChangedSymbol, b: ChangedSymbol): boolean {
  if (a.word === 'removed' && b.word === 'removed') return true;
  return a.digest.symbol === b.digest.symbol && a.digest.text === b.digest.text && a.digest.doc === b.digest.doc;
}

/** A use in a file that one branch changes, of a symbol in a file that the other changes. */
interface PossibleUse {
  edge: number;
  /** File of the use and file of the target, as one branch and the other changed them. */
  from: ChangedFile;
  target: ChangedFile;
}

/** Uses that lead from files of `mine` to symbols in files of `theirs`. Reads no file. */
function possibleUses(graph: Graph, mine: ChangedFiles, theirs: ChangedFiles): PossibleUse[] {
  const own = new Map<number, ChangedFile>();
  const paths = new Map<string, string>();
  for (const [base, file] of mine) {
    if (file.after === null) continue;
    own.set(graph.findFile(file.after.path), file);
    paths.set(base, file.after.path);
  }
  const found: PossibleUse[] = [];
  for (const [base, target] of theirs) {
    const file = graph.findFile(paths.get(base) ?? base);
    if (file < 0 || target.before === null) continue;
    for (let node = graph.fileNode(file) + 1; node < lastNodeOf(graph, graph.fileNode(file)); node++) {
      for (const edge of graph.incoming(node)) {
        const source = graph.fileOf(graph.source(edge));
        const from = source === file ? undefined : own.get(source);
        if (from !== undefined) found.push({ edge, from, target });
      }
    }
  }
  return found;
}

/** Change of the other branch to the target of a use; null if this branch does not change the use, or the other not the target. */
function changeUsed(
  graph: Graph,
  { edge, from, target }: PossibleUse,
  versions: Versions,
): { symbol: string; change: ChangedSymbol } | null {
  const [mine, theirs] = [versions.symbolsOf(from), versions.symbolsOf(target)];
  if (mine === null || theirs === null) return null;
  const symbol = graph.qualifiedName(graph.target(edge));
  const change = changeOf(theirs, symbol);
  // A changed comment does not affect callers, and a symbol that the other branch adds cannot be the target.
  if (change === undefined || change.word === 'doc' || change.word === 'added') return null;
  const source = graph.source(edge);
  const isMine = graph.isFile(source) ? mine.outside : isChanged(mine, graph.qualifiedName(source));
  return isMine ? { symbol, change } : null;
}

function isChanged(mine: FileSymbols, symbol: string): boolean {
  const own = changeOf(mine, symbol);
  return own !== undefined && own.word !== 'doc';
}

const byRank = (a: ChangeWord, b: ChangeWord): number => RANK.indexOf(a) - RANK.indexOf(b);

interface ChangedSymbol {
  word: ChangeWord;
  /** New version; of a removed symbol, the old one. */
  digest: SymbolDigest;
  /** True if the symbols inside came or went with it. */
  isWhole: boolean;
}

/** Changed symbols of a file in one branch. */
interface FileSymbols {
  /** By qualified name; of overloads, the one that changed most. */
  changed: Map<string, ChangedSymbol>;
  /** True if text outside of all symbols changed. */
  outside: boolean;
}

/** Most versions that are read; further ones, of branches with many files, are left out. */
const MAX_VERSIONS = 6_000;

interface Sources {
  committed: BlobFactsSource;
  /** Also reads blobs of the scratch repository. */
  uncommitted: BlobFactsSource;
  objects: ObjectReader;
}

/**
 * Versions of files with their changed symbols. They are read together, so the calls have an order: `want` for each changed file, then
 * `read` once, then `symbolsOf`.
 */
export class Versions {
  private readonly wanted = new Map<string, FileVersion>();
  /** Cached answers of `want`, which is called for each use from a file or to it. */
  private readonly requested = new WeakMap<ChangedFile, boolean>();
  /** Pairs of versions, each once for all branches that have it: `read` fills in what differs, and `symbolsOf` the symbols. */
  private readonly pairs = new Map<string, ComparedVersions & { symbols?: FileSymbols | null }>();

  /** `isCommitted` tells whether a blob is in the repository. */
  constructor(
    private readonly sources: Sources,
    private readonly isCommitted: (oid: string) => Promise<boolean>,
  ) {}

  /** Writes records of what was parsed, and ends git. */
  async close(): Promise<void> {
    const { committed, uncommitted, objects } = this.sources;
    await committed.close();
    await uncommitted.close();
    objects.close();
  }

  /** Registers both versions of a file to be read; false if there are too many. */
  want(file: ChangedFile): boolean {
    return getOrMake(this.requested, file, () => this.add(file));
  }

  private add(file: ChangedFile): boolean {
    const { before, after } = file;
    const versions = [before, after].filter((version) => version !== null);
    const added = versions.filter((version) => !this.wanted.has(keyOf(version)));
    if (this.wanted.size + added.length > MAX_VERSIONS) return false;
    for (const version of added) this.wanted.set(keyOf(version), version);
    if (!this.pairs.has(pairOf(file))) this.pairs.set(pairOf(file), { before, after, diff: null });
    return true;
  }

  /** Reads all registered versions, those of a path in succession. */
  async read(): Promise<void> {
    const { committed, uncommitted } = this.sources;
    const pairs = [...this.pairs.values()].sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1));
    const here = new Set<FileVersion>();
    const look = async (version: FileVersion | null) => {
      if (version !== null && (await this.isCommitted(version.oid))) here.add(version);
    };
    await Promise.all(pairs.flatMap(({ before, after }) => [look(before), look(after)]));
    await compareSymbols(pairs, {
      degraded: { has: (oid) => committed.degraded.has(oid) || uncommitted.degraded.has(oid) },
      async prefetch(versions, progress, each) {
        const all = [...versions];
        const [inHere, elsewhere] = [true, false].map((is) => all.filter((version) => here.has(version) === is));
        await committed.prefetch(inHere, progress, each);
        await uncommitted.prefetch(elsewhere, progress, each);
      },
      comments: (version) => (here.has(version) ? committed : uncommitted).comments(version),
    });
  }

  /** Null if the symbols of a version are not known, or the file was not wanted. */
  symbolsOf(file: ChangedFile): FileSymbols | null {
    const pair = this.pairs.get(pairOf(file));
    if (pair === undefined) return null;
    if (pair.symbols === undefined) pair.symbols = pair.diff && changedIn(pair.diff);
    return pair.symbols;
  }

  /** Declaration of a symbol in a version; null if it has none, or the version cannot be read. */
  async signature(version: FileVersion | null, symbol: string): Promise<string | null> {
    if (version === null) return null;
    const source = (await this.isCommitted(version.oid)) ? this.sources.committed : this.sources.uncommitted;
    const [facts, bytes] = [await source.facts(version), await source.bytes(version.oid)];
    if (facts === null || bytes === null) return null;
    const found = facts.symbols.find((_, i) => qualifiedName(facts.symbols, i) === symbol);
    return found === undefined ? null : signatureText(bytes, found);
  }
}

function changedIn({ changes, outside }: FileDiff): FileSymbols {
  const changed = new Map<string, ChangedSymbol>();
  for (const change of changes) {
    const word = wordOf(change);
    const { symbol } = change.symbol;
    const known = changed.get(symbol);
    if (word === null || (known !== undefined && RANK.indexOf(known.word) <= RANK.indexOf(word))) continue;
    changed.set(symbol, { word, digest: change.symbol, isWhole: change.type !== 'changed' });
  }
  return { changed, outside };
}

const pathOf = ({ before, after }: ChangedFile): string => (before ?? after)?.path ?? '';
const keyOf = ({ oid, path }: FileVersion): string => `${oid} ${path}`;
const pairOf = ({ before, after }: ChangedFile): string =>
  [before, after].map((version) => (version === null ? '' : keyOf(version))).join('\0');

/** Ranks first the changes that users of a symbol notice most. */
const RANK: readonly ChangeWord[] = ['removed', 'signature', 'added', 'body', 'doc'];

/** Null for a change of white space. */
function wordOf({ type, parts = [] }: SymbolChange): ChangeWord | null {
  if (type === 'added' || type === 'removed') return type;
  return (['signature', 'body', 'doc'] as const).find((part) => parts.includes(part)) ?? null;
}

/** Change of a symbol, or of the symbol around it that came or went as a whole. */
function changeOf({ changed }: FileSymbols, symbol: string): ChangedSymbol | undefined {
  const own = changed.get(symbol);
  if (own !== undefined) return own;
  for (let at = symbol.lastIndexOf('.'); at > 0; at = symbol.lastIndexOf('.', at - 1)) {
    const around = changed.get(symbol.slice(0, at));
    if (around?.isWhole) return around;
  }
  return undefined;
}
