/** Answers `coupling`: files and symbols that past commits changed together. */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import { lineLog } from '../../git/blame.js';
import { diffTrees } from '../../git/diff.js';
import { cut } from '../../graph/query/node-place.js';
import { countChanges, coupledFiles, type LoggedCommit, tellingCommits } from '../../history/change-log.js';
import { symbolChanges, symbolKey } from '../../session/history/symbol-changes.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import { isRange, mergeBase, parseRange } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { formatCount, windowLines } from '../format.js';
import { coupledText } from '../graph/changes/text.js';
import { findSymbol, openPast, pathsNamed, presentPaths, type SymbolPlace, windowOf } from '../history-targets.js';
import type { Pen } from '../pen.js';
import { asides, type Block, type Item, sectionOf, total } from '../view.js';
import type { CouplingDocument, CouplingValues } from './question.js';

/** Throws BAD_ARGUMENT for an unknown name, and UNKNOWN_REF. */
export async function answerCoupling(at: Asker, values: CouplingValues): Promise<CouplingDocument> {
  return retried(at.session, values.ref, () => answerOnce(at, values));
}

async function answerOnce(at: Asker, values: CouplingValues): Promise<CouplingDocument> {
  const { target = '', limit, minShare: share, minCommits: least } = values;
  const { paths, ref } = await changedPaths(at, values);
  const past = await openPast(at, ref);
  const log = tellingCommits(past.log);
  const files = paths ?? (await pathsNamed(past, target));
  const symbol = files === null ? await findSymbol(at, target, values.ref) : null;
  const named = files ?? new Set([symbol?.path ?? '']);
  const name = symbol?.symbol ?? null;
  const symbols =
    symbol === null || name === null
      ? null
      : await coupledSymbols(at, { symbol: { ...symbol, symbol: name }, tip: past.commit, log, share, least });
  const coupled = await presentPaths(past, coupledFiles(log, named, { share, least }));
  return {
    ...{ schemaVersion: 1, ref: values.ref ?? 'HEAD', commit: past.commit, window: windowOf(past) },
    ...{ target, files: named.size, changes: countChanges(log, named), coupled: cut(coupled, limit) },
    ...(symbols === null ? {} : { symbols: cut(symbols, limit) }),
  };
}

interface ChangedPaths {
  /** Null if the target is not a change. */
  paths: ReadonlySet<string> | null;
  /** Ref of the log that is counted: for a change, the state before. */
  ref: string | undefined;
}

async function changedPaths({ session, signal }: Asker, { target, ref }: CouplingValues): Promise<ChangedPaths> {
  if (target === undefined) return { paths: await uncommittedPaths(session, ref), ref };
  if (!isRange(target)) return { paths: null, ref };
  if (ref !== undefined) throw new SocraticodeError('BAD_ARGUMENT', 'a ref and a range exclude each other');
  const range = parseRange(target);
  const to = range.to ?? 'HEAD';
  const from = range.symmetric ? await mergeBase(session, range.from, to) : range.from;
  const [old, now] = await Promise.all([session.objects.resolve(from), session.objects.resolve(to)]);
  const changes = await diffTrees(session.repository.git, old.tree, now.tree, { renames: true, signal });
  return { paths: new Set(changes.flatMap(({ path, oldPath }) => [oldPath ?? path, path])), ref: from };
}

async function uncommittedPaths({ readChanges }: Session, ref: string | undefined): Promise<ReadonlySet<string>> {
  if (ref !== undefined || readChanges === null) {
    throw new SocraticodeError('BAD_ARGUMENT', 'without a target, coupling is about uncommitted changes', {
      hint: 'Name a file, a symbol, or a range like main..feature.',
    });
  }
  return new Set((await readChanges()).list.map(({ path }) => path));
}

// Symbols that usually change together with one, by the newest commits that changed its file.

/** Most commits that are compared: parsing old versions takes 10 ms a file, once. */
const MAX_COMPARED = 40;
/** Most commits that are compared if lines cannot be followed: the newest that changed the file. */
const MAX_GUESSED = 15;

interface SymbolQuestion {
  symbol: SymbolPlace & { symbol: string };
  /** Newest commit. */
  tip: string;
  log: readonly LoggedCommit[];
  share: number;
  least: number;
}

type CoupledSymbol = NonNullable<CouplingDocument['symbols']>['list'][number];

async function coupledSymbols(
  { session, signal }: Asker,
  { symbol, tip, log, share, least }: SymbolQuestion,
): Promise<CoupledSymbol[]> {
  const own = await changing(session, { symbol, tip, signal });
  const all = log.filter(({ commit, paths }) => paths.includes(symbol.path) && (own?.has(commit) ?? true));
  const touching = all.slice(0, own === null ? MAX_GUESSED : MAX_COMPARED);
  const sets = await symbolChanges(session, touching, { signal });
  const key = symbolKey(symbol.path, symbol.symbol);
  const found = coupledFiles(sets, new Set([key]), { share, least });
  return found.map(({ path: other, ...counts }) => {
    const [path, name] = other.split('\0');
    return { path, symbol: name, ...counts, with: symbol.symbol };
  });
}

/** Commits that changed the symbol's lines; null if this clone lacks a version of them. */
async function changing(
  { repository: { git } }: Session,
  { symbol, tip, signal }: Pick<SymbolQuestion, 'symbol' | 'tip'> & { signal: AbortSignal },
): Promise<ReadonlySet<string> | null> {
  const { path, startLine, endLine } = symbol;
  try {
    return new Set(await lineLog(git, { commit: tip, path, startLine, endLine, signal }, 2 * MAX_COMPARED));
  } catch (error) {
    if (isSocraticodeError(error, 'GIT_FAILED') || isSocraticodeError(error, 'UNREADABLE_OBJECT')) return null;
    throw error;
  }
}

// Text: a line for each file, with its counts.

export function couplingBlocks(document: CouplingDocument, { pen }: { pen: Pen }): Block[] {
  const { target, files, changes, coupled, window, symbols } = document;
  if (target === '' && files === 0) return [{ say: ['nothing is uncommitted'] }];
  const of = files === 1 ? '' : ` (${formatCount(files, 'file')})`;
  const file = symbols === undefined ? '' : ': its file';
  const none = changes === 0 ? 'no commit tells what changes with it' : 'nothing else usually changes with it';
  const title = symbols === undefined ? 'usually also changes' : 'with its file usually also changes';
  const details = files === 1 ? counts : coupledText;
  return [
    {
      say: [
        { symbol: target || 'the uncommitted changes' },
        `${of}${file} changed in ${formatCount(changes, 'commit')}`,
      ],
    },
    ...(symbols === undefined ? [] : [sectionOf('symbols that usually also change', symbols, coupledItem)]),
    sectionOf(title, coupled, (one) => [{ path: one.path, isThere: true }, { aside: details(one) }]),
    ...(total(coupled) + (symbols?.list.length ?? 0) === 0 ? [{ say: [none] }] : []),
    ...asides(windowLines(window, pen), total(coupled) > 0),
  ];
}

const coupledItem = (one: NonNullable<CouplingDocument['symbols']>['list'][number]): Item => [
  ...[{ path: one.path, isThere: true as const }, { symbol: one.symbol }, { aside: counts(one) }],
];

/** `in 7 of 9 commits` */
const counts = ({ together, of }: Pick<CouplingDocument['coupled']['list'][number], 'together' | 'of'>): string =>
  `in ${groupDigits(together)} of ${formatCount(of, 'commit')}`;
