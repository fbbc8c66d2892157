/** Symbols that usually change in the same commits as one, by the symbols of the newest commits that changed its file. */
import { isSocraticodeError } from '../../base/errors.js';
import { lineLog } from '../../git/blame.js';
import type { LoggedCommit } from '../../history/change-log.js';
import { coupledFiles } from '../../history/coupling.js';
import { symbolsOfCommits } from '../../session/history/commit-symbols.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { SymbolPlace } from '../past/symbols.js';
import type { CouplingDocument } from './output.js';

/** Commits that are compared: parsing old versions takes 10 ms a file, once. */
const MAX_COMPARED = 40;
/** Commits that are compared if lines cannot be followed: the newest that changed the file. */
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

export async function coupledSymbols(
  { session, signal }: Asker,
  { symbol, tip, log, share, least }: SymbolQuestion,
): Promise<CoupledSymbol[]> {
  const own = await changing(session, { symbol, tip, signal });
  const all = log.filter(({ commit, paths }) => paths.includes(symbol.path) && (own?.has(commit) ?? true));
  const touching = all.slice(0, own === null ? MAX_GUESSED : MAX_COMPARED);
  const changed = await symbolsOfCommits(session, touching, signal);
  const sets = touching.map(({ commit, age, renamed }) => {
    const keys = (changed.get(commit) ?? []).map(({ path, symbol: name }) => keyOf(renamed?.get(path) ?? path, name));
    return { commit, age, paths: [...new Set(keys)] };
  });
  const key = keyOf(symbol.path, symbol.symbol);
  const found = coupledFiles(sets, new Set([key]), { share, least });
  return found.map(({ path: other, ...counts }) => {
    const [path, name] = other.split('\0');
    return { path, symbol: name, ...counts, with: symbol.symbol };
  });
}

/** Commits that changed the lines of the symbol; null where this clone lacks a version of them. */
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

/** No path holds a NUL. */
const keyOf = (path: string, symbol: string): string => `${path}\0${symbol}`;
