/**
 * Symbols that changes touched. `compareSymbols` compares files of two trees, and `joinMovedSymbols` joins symbols that moved between them;
 * `symbolsOfCommits` has the symbols that commits changed: each commit is compared once, and the result cached in the local state.
 */
import { addTo } from '../../base/lists.js';
import { createProgress } from '../../base/progress.js';
import { type CommitFiles, diffCommits } from '../../git/commits.js';
import type { TreeChange } from '../../git/diff.js';
import { isPartialClone } from '../../git/repository.js';
import { type LoggedCommit, MAX_FILES } from '../../history/change-log.js';
import type { FileVersion } from '../../history/file-versions.js';
import {
  diffSymbols,
  type FileDiff,
  FileDigest,
  isCosmetic,
  joinMoves,
  type PlacedChange,
} from '../../history/symbol-diff.js';
import { BlobFactsSource } from '../blob-facts.js';
import type { Session } from '../session.js';
import { SYMBOLS } from '../state-kinds.js';

/** Changed files whose symbols are compared. The rest of a larger change is compared as whole files. */
const MAX_COMPARED_FILES = 20_000;
/** Files parsed to tell code from comments; their bytes are in memory until all are read. In further files comments count as code. */
const MAX_PARSED_FILES = 1_000;

/** Two versions of a file; null for the one that does not exist. */
export interface ComparedVersions {
  before: FileVersion | null;
  after: FileVersion | null;
  /** Null if symbols are not known. */
  diff: FileDiff | null;
  /** Does its newest version say that a tool wrote it? */
  isGenerated?: true;
}

/** A file that both snapshots have, or one of them, perhaps under another path. */
export interface ComparedFile extends ComparedVersions {
  change: TreeChange;
}

/** Reads versions. The symbols of a degraded version are not known. */
export interface VersionSource extends Pick<BlobFactsSource, 'prefetch' | 'comments'> {
  degraded: Pick<ReadonlySet<string>, 'has'>;
}

/**
 * Sets the `diff` of each file, and `isGenerated`. A file is compared as soon as both versions are known, so that the bytes of few files
 * are in memory at a time.
 */
export async function compareSymbols(files: readonly ComparedVersions[], source: VersionSource): Promise<void> {
  const compared = files.slice(0, MAX_COMPARED_FILES);
  const waiting = new Map<string, ComparedVersions[]>();
  const digests = new Map<ComparedVersions, DigestPair>();
  const unclear: [ComparedVersions, DigestPair][] = [];
  const versions: FileVersion[] = [];
  for (const file of compared) {
    digests.set(file, {});
    for (const version of [file.before, file.after]) {
      if (version === null) continue;
      if (!waiting.has(keyOf(version))) versions.push(version);
      addTo(waiting, keyOf(version), file);
    }
  }
  await source.prefetch(versions, createProgress('reading both sides', 'versions'), (version, facts, bytes) => {
    const isKnown = facts !== null && bytes !== null && !source.degraded.has(version.oid);
    const digest = isKnown ? new FileDigest(bytes, facts) : null;
    for (const file of waiting.get(keyOf(version)) ?? []) {
      const pair = digests.get(file);
      if (pair === undefined) continue;
      if (isSame(file.before, version)) pair.before = digest;
      if (isSame(file.after, version)) pair.after = digest;
      if (facts?.generated && isSame(file.after ?? file.before, version)) file.isGenerated = true;
      if (!compare(file, pair)) continue;
      digests.delete(file);
      if (file.diff?.mayBeComments && unclear.length < MAX_PARSED_FILES) unclear.push([file, pair]);
    }
  });
  await Promise.all(unclear.map(([file, pair]) => compareWithComments(file, pair, source)));
}

/** Digests of the versions of a file: undefined until a version is read, null if its symbols are not known. */
interface DigestPair {
  before?: FileDigest | null;
  after?: FileDigest | null;
}

/** Compares two versions again with the ranges of their comments, which no record holds. */
async function compareWithComments(file: ComparedVersions, pair: DigestPair, source: VersionSource): Promise<void> {
  const known = async (version: FileVersion | null, digest: FileDigest | null | undefined) => {
    const comments = version && digest ? await source.comments(version) : null;
    return comments === null || !digest ? null : digest.withComments(comments);
  };
  const [before, after] = await Promise.all([known(file.before, pair.before), known(file.after, pair.after)]);
  if (before !== null && after !== null) file.diff = diffSymbols(before, after);
}

/** Returns true once both versions are known. If the symbols of an existing version are not known, the file is left as a whole. */
function compare(file: ComparedVersions, { before, after }: DigestPair): boolean {
  const isRead = (version: FileVersion | null, digest: FileDigest | null | undefined) =>
    version === null || digest !== undefined;
  if (!isRead(file.before, before) || !isRead(file.after, after)) return false;
  const isKnown = (file.before === null || before !== null) && (file.after === null || after !== null);
  if (isKnown) file.diff = diffSymbols(before ?? null, after ?? null);
  return true;
}

const keyOf = ({ oid, path }: FileVersion): string => `${oid} ${path}`;
const isSame = (a: FileVersion | null, b: FileVersion): boolean => a?.oid === b.oid && a.path === b.path;

/** Turns the change of a symbol that came from another file into a move, and drops the change of that file. */
export async function joinMovedSymbols(files: readonly ComparedFile[], source: BlobFactsSource): Promise<void> {
  const placed = files.flatMap((file) =>
    (file.diff?.changes ?? []).flatMap((change): PlacedChange[] => {
      const version = change.type === 'removed' ? file.before : file.after;
      return version === null ? [] : [{ ...version, change }];
    }),
  );
  const gone = await joinMoves(placed, source);
  for (const { diff } of files) if (diff !== null) diff.changes = diff.changes.filter((change) => !gone.has(change));
}

// Symbols of commits.

/** A symbol that a commit added, changed or removed, with the path that its file had. */
export interface CommitSymbol {
  path: string;
  symbol: string;
}

/** Limit on changes of one file with cached symbols; the last used stay. */
const MAX_CACHED = 10_000;
/** Limit on the symbols of a commit: with more it is generated, or a move. */
const MAX_SYMBOLS = 200;

/** Keys are a commit and the present name of a file, since a question may be about some files of a commit alone. */
type SymbolCache = Map<string, CommitSymbol[]>;
type RequestedCommit = Pick<LoggedCommit, 'commit' | 'paths' | 'renamed'>;

interface SymbolsWanted {
  /** Present names of the files that are compared; default: all. */
  names?: ReadonlySet<string>;
  signal?: AbortSignal;
}

/**
 * Returns symbols by commit. Merges and commits of many files have none. Parses versions without a record, so callers ask for some dozens
 * of commits. Throws CANCELLED.
 */
export async function symbolsOfCommits(
  session: Session,
  commits: readonly RequestedCommit[],
  { names, signal }: SymbolsWanted = {},
): Promise<ReadonlyMap<string, readonly CommitSymbol[]>> {
  const cached: SymbolCache = session.state.readMap(SYMBOLS);
  const isNamed = (name: string) => names === undefined || names.has(name);
  const keysOf = ({ commit, paths }: RequestedCommit) =>
    paths.filter(isNamed).map((name) => [name, `${commit} ${name}`] as const);
  const isCached = (requested: RequestedCommit) => keysOf(requested).every(([, key]) => cached.has(key));
  const missing = new Map(commits.filter((one) => !isCached(one)).map((one) => [one.commit, one]));
  const nameOf = (commit: string, path: string) => missing.get(commit)?.renamed?.get(path) ?? path;
  const isWanted = (commit: string, path: string) => isNamed(nameOf(commit, path));
  // A commit is compared for all wanted files at once; its symbols are cached for each of them.
  const fresh = await compareCommits(session, [...missing.keys()], signal, isWanted);
  for (const [commit, symbols] of fresh)
    for (const [name, key] of keysOf(missing.get(commit) as RequestedCommit))
      cached.set(
        key,
        symbols.filter(({ path }) => nameOf(commit, path) === name),
      );
  const used = commits.flatMap((one) => keysOf(one).map(([, key]) => key));
  if (fresh.size > 0) session.state.writeMap(SYMBOLS, cached, { used, most: MAX_CACHED });
  const known = commits.filter((one) => keysOf(one).some(([, key]) => cached.has(key)));
  return new Map(known.map((one) => [one.commit, keysOf(one).flatMap(([, key]) => cached.get(key) ?? [])]));
}

/** Returns commits whose `paths` are the symbols that each changed: each by its `symbolKey`, under the present name of its file. */
export async function symbolChanges(
  session: Session,
  commits: readonly LoggedCommit[],
  wanted: SymbolsWanted,
): Promise<LoggedCommit[]> {
  const changed = await symbolsOfCommits(session, commits, wanted);
  return commits.map((one) => {
    const symbols = changed.get(one.commit) ?? [];
    const keys = symbols.map(({ path, symbol }) => symbolKey(one.renamed?.get(path) ?? path, symbol));
    return { ...one, paths: [...new Set(keys)] };
  });
}

/** Joins with NUL, which no path holds. */
export const symbolKey = (path: string, symbol: string): string => `${path}\0${symbol}`;

/** Returns symbols by commit. Left out are commits of many files, and those with a version that cannot be read. */
async function compareCommits(
  session: Session,
  commits: readonly string[],
  signal: AbortSignal | undefined,
  isWanted: (commit: string, path: string) => boolean,
): Promise<Map<string, CommitSymbol[]>> {
  if (commits.length === 0) return new Map();
  const { git } = session.repository;
  const changed: CommitFiles[] = [];
  const partial = isPartialClone(session.gitConfig);
  await diffCommits(git, commits, { partial, signal }, (files) => changed.push(files));
  const telling = changed.filter(({ paths }) => paths.length <= MAX_FILES);
  const { config } = await session.configOfOrigin(await session.origin());
  const { languages, maxFileBytes } = config;
  // A source with a reader of its own writes no records: old versions are seldom needed again.
  const source = new BlobFactsSource(session, { languages, maxFileBytes, objects: session.objects, signal });
  try {
    const isCompared = (commit: string) => (path: string) => isWanted(commit, path) && source.languageOf(path) !== null;
    const files = telling.map((each) => filesOf(each, isCompared(each.commit)));
    await compareSymbols(files.flat(), source);
    const isKnown = (file: ComparedFile) =>
      file.diff !== null ||
      ![file.before, file.after].some((version) => version !== null && source.unreadable.has(version.oid));
    return new Map(
      telling.flatMap(({ commit }, i) =>
        files[i].every(isKnown) ? [[commit, files[i].flatMap(symbolsOf).slice(0, MAX_SYMBOLS)]] : [],
      ),
    );
  } finally {
    await source.close();
  }
}

function filesOf({ paths, renames, blobs }: CommitFiles, isCode: (path: string) => boolean): ComparedFile[] {
  const former = new Map(renames.map(([from, to]) => [to, from]));
  return paths.flatMap((path, i): ComparedFile[] => {
    const { before, after } = blobs[i];
    if (!isCode(path) || before === after) return [];
    const oldPath = former.get(path) ?? path;
    const status = before === null ? 'added' : after === null ? 'deleted' : 'modified';
    const types = { oldType: before === null ? null : 'file', newType: after === null ? null : 'file' } as const;
    return [
      {
        change: { path, oldOid: before, newOid: after, ...types, status },
        before: before === null ? null : { oid: before, path: oldPath },
        after: after === null ? null : { oid: after, path },
        diff: null,
      },
    ];
  });
}

function symbolsOf({ change: { path }, diff }: ComparedFile): CommitSymbol[] {
  return (diff?.changes ?? [])
    .filter((change) => !isCosmetic(change))
    .map(({ symbol }) => ({ path, symbol: symbol.symbol }));
}
