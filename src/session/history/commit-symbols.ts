/** Symbols that commits changed. Each commit is compared once, and the result cached in a file of the local state. */
import { type CommitFiles, diffCommits } from '../../git/commits.js';
import { isPartialClone } from '../../git/repository.js';
import { type LoggedCommit, MAX_FILES } from '../../history/change-log.js';
import { isCosmetic } from '../../history/symbol-diff.js';
import { BlobFactsSource } from '../blob-facts.js';
import type { Session } from '../session.js';
import { SYMBOLS } from '../state-kinds.js';
import { type ComparedFile, compareSymbols } from './compare-symbols.js';

/** A symbol that a commit added, changed or removed, with the path that its file had. */
export interface CommitSymbol {
  path: string;
  symbol: string;
}

/** Limit on commits with cached symbols; the last used stay. */
const MAX_CACHED = 5_000;
/** Limit on the symbols of a commit: with more it is generated, or a move. */
const MAX_SYMBOLS = 200;

/** Keys are commits, or a commit and the present name of a file if only that file was compared. */
type SymbolCache = Map<string, CommitSymbol[]>;
type RequestedCommit = Pick<LoggedCommit, 'commit' | 'paths' | 'renamed'>;

/**
 * Returns symbols by commit. Merges and commits of many files have none. Parses versions without a record, so callers ask for some dozens
 * of commits. Throws CANCELLED.
 */
export async function symbolsOfCommits(
  session: Session,
  commits: readonly RequestedCommit[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, readonly CommitSymbol[]>> {
  const cached = readCached(session);
  const missing = commits.filter(({ commit, paths }) => !cached.has(commit) && paths.length > 0);
  if (missing.length > 0) {
    const fresh = await compareCommits(
      session,
      missing.map(({ commit }) => commit),
      signal,
    );
    for (const [commit, symbols] of fresh) cached.set(commit, symbols);
    if (fresh.size > 0) write(session, cached);
  }
  return cached;
}

/**
 * Returns symbols by commit, only of the files with these present names. They are cached by commit and file, since parsing a commit's
 * other files takes as long again.
 */
export async function symbolsInFiles(
  session: Session,
  commits: readonly RequestedCommit[],
  { names, signal }: { names: ReadonlySet<string>; signal?: AbortSignal },
): Promise<ReadonlyMap<string, readonly CommitSymbol[]>> {
  const cached = readCached(session);
  const keysOf = ({ commit, paths }: RequestedCommit) =>
    paths.filter((path) => names.has(path)).map((path) => [path, `${commit} ${path}`] as const);
  const isCached = (requested: RequestedCommit) =>
    cached.has(requested.commit) || keysOf(requested).every(([, key]) => cached.has(key));
  const missing = new Map(
    commits.filter((requested) => !isCached(requested)).map((requested) => [requested.commit, requested]),
  );
  const nameOf = (commit: string, path: string) => missing.get(commit)?.renamed?.get(path) ?? path;
  const isWanted = (commit: string, path: string) => names.has(nameOf(commit, path));
  const fresh = await compareCommits(session, [...missing.keys()], signal, isWanted);
  for (const [commit, symbols] of fresh)
    for (const [name, key] of keysOf(missing.get(commit) as RequestedCommit))
      cached.set(
        key,
        symbols.filter(({ path }) => nameOf(commit, path) === name),
      );
  if (fresh.size > 0) write(session, cached);
  return new Map(
    commits.map((requested) => [
      requested.commit,
      cached.get(requested.commit) ?? keysOf(requested).flatMap(([, key]) => cached.get(key) ?? []),
    ]),
  );
}

function write({ state }: Session, cached: SymbolCache): void {
  const rows = JSON.stringify(
    [...cached].slice(-MAX_CACHED).map(([key, list]) => [key, list.map(({ path, symbol }) => [path, symbol])]),
  );
  state.write(SYMBOLS, '', Buffer.from(rows));
}

function readCached({ state }: Session): SymbolCache {
  const cached = state.read(SYMBOLS, '', ({ content }) => {
    const rows = JSON.parse(content.toString('utf8')) as [string, [string, string][]][];
    return new Map(rows.map(([commit, list]) => [commit, list.map(([path, symbol]) => ({ path, symbol }))]));
  });
  return cached ?? new Map();
}

async function compareCommits(
  session: Session,
  commits: readonly string[],
  signal?: AbortSignal,
  isWanted: (commit: string, path: string) => boolean = () => true,
): Promise<SymbolCache> {
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
