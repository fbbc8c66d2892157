/** Symbols that commits changed. Each commit is compared once, and kept in a file of the local state. */
import { type CommitFiles, diffCommits } from '../../git/commit-log.js';
import { isPartialClone } from '../../git/worktree.js';
import { type LoggedCommit, MAX_FILES } from '../../history/change-log.js';
import type { SymbolChange } from '../../history/symbol-diff.js';
import { BlobFactsSource } from '../blob-facts.js';
import type { Session } from '../session.js';
import { readCacheFile, writeCacheFile } from './cache-file.js';
import { type ComparedFile, compareSymbols } from './compare-symbols.js';

/** A symbol that a commit added, changed or removed, with the path that its file had. */
export interface CommitSymbol {
  path: string;
  symbol: string;
}

/** Commits whose symbols are kept, those asked for last. */
const MAX_KEPT = 5_000;
/** Symbols of one commit; more are generated, or a move. */
const MAX_SYMBOLS = 200;

type Kept = Map<string, CommitSymbol[]>;

/**
 * Symbols by commit, for as many of `commits` as can be compared here: merges and commits of many files have none. Parses
 * versions that no record covers, so callers ask for some dozens of commits. Throws CANCELLED.
 */
export async function symbolsOfCommits(
  session: Session,
  commits: readonly Pick<LoggedCommit, 'commit' | 'paths'>[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, readonly CommitSymbol[]>> {
  const { directory } = session.shards;
  const kept: Kept = readCacheFile(directory, 'symbols', decode) ?? new Map();
  const missing = commits.filter(({ commit, paths }) => !kept.has(commit) && paths.length > 0);
  if (missing.length > 0) {
    const fresh = await compareCommits(
      session,
      missing.map(({ commit }) => commit),
      signal,
    );
    for (const [commit, symbols] of fresh) kept.set(commit, symbols);
    const rows = JSON.stringify([...kept].slice(-MAX_KEPT).map(([commit, list]) => [commit, list.map(pairOf)]));
    if (fresh.size > 0) writeCacheFile(directory, 'symbols', Buffer.from(rows), { profile: session.profile });
  }
  return kept;
}

const pairOf = ({ path, symbol }: CommitSymbol): [string, string] => [path, symbol];

function decode({ content }: { content: Buffer }): Kept {
  const rows = JSON.parse(content.toString('utf8')) as [string, [string, string][]][];
  return new Map(rows.map(([commit, list]) => [commit, list.map(([path, symbol]) => ({ path, symbol }))]));
}

async function compareCommits(session: Session, commits: readonly string[], signal?: AbortSignal): Promise<Kept> {
  const { git } = session.repository;
  const changed: CommitFiles[] = [];
  const partial = isPartialClone(session.gitConfig);
  await diffCommits(git, commits, { partial, signal }, (files) => changed.push(files));
  const telling = changed.filter(({ paths }) => paths.length <= MAX_FILES);
  const { config } = await session.configOfOrigin(await session.origin());
  const { languages, maxFileBytes } = config;
  // With a reader of its own it writes no records: old versions are seldom asked for again.
  const source = new BlobFactsSource(session, { languages, maxFileBytes, objects: session.objects, signal });
  try {
    const files = telling.map((each) => filesOf(each, (path) => source.languageOf(path) !== null));
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
  return (diff?.changes ?? []).filter(isOfCode).map(({ symbol }) => ({ path, symbol: symbol.symbol }));
}

/** Comments and white space change no code. */
const isOfCode = ({ parts }: SymbolChange): boolean =>
  parts === undefined || parts.some((part) => part === 'signature' || part === 'body');
