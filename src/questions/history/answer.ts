/** `history`: the commits in which code appeared, changed, moved and disappeared, deleted code included. */
import { SocraticodeError } from '../../base/errors.js';
import { createProgress, type Progress } from '../../base/progress.js';
import type { WalkWindow } from '../../git/log.js';
import { type Lineage, newestVersion } from '../../history/lineage.js';
import { findRemovedText } from '../../history/removed-text.js';
import { symbolHistory } from '../../history/symbol-history.js';
import { textHistory } from '../../history/text-history.js';
import { commandText } from '../../params/command-line.js';
import { type ParsedQuery, parseQuery } from '../../search/query.js';
import { type OpenHistory, openHistory, type WalkLimits } from '../../session/history/scope.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import type { Asker } from '../asker.js';
import type { CommitsDocument } from './commits/output.js';
import type { HistoryResponse } from './output.js';
import { type HistoryValues, MAX_WORD_COMMITS, REPLY_LINES } from './params.js';
import { describeLineages } from './results.js';
import { suggestNames } from './suggest-names.js';

interface HistoryOptions extends HistoryValues {
  query: string;
  /** Lines of the text of each result; undefined for all. */
  contentLines: number | undefined;
  signal: AbortSignal;
  /** A meter for things of that name. */
  meter: (unit: string) => Progress;
}

/** Chunks ranked for each result: versions of the same code become one. */
const RANKED_PER_RESULT = 12;

/** Throws EMPTY_QUERY, BAD_ARGUMENT, UNKNOWN_REF, GIT_FAILED or CANCELLED. */
export async function answerHistory(at: Asker, values: HistoryValues): Promise<HistoryResponse | CommitsDocument> {
  if (values.commits) return (await import('./commits/answer.js')).answerCommits(at, values);
  const { session, signal, server } = at;
  const { query = '' } = values;
  if (query.trim() === '') {
    throw new SocraticodeError('EMPTY_QUERY', 'the query is empty', {
      hint: `Name a symbol, or say what to look for: ${commandText('history')} "retry with backoff"`,
    });
  }
  const contentLines = server === undefined ? undefined : REPLY_LINES;
  const options: HistoryOptions = { ...values, query, signal, contentLines, meter: (unit) => meterOf(at, unit) };
  return retried(session, values.ref, () => walk(session, options));
}

/** A line on the terminal for a person; told to the page or the agent that asks otherwise. */
function meterOf({ command, progress }: Asker, unit: string): Progress {
  if (command !== undefined) return createProgress('reading history', unit);
  return { update: (done, total) => progress(done, total, `reading history: ${unit}`), finish: () => {} };
}

async function walk(session: Session, options: HistoryOptions): Promise<HistoryResponse> {
  const origin = await session.origin(options.ref);
  const parsed = parseQuery(options.query);
  const query: ParsedQuery = options.words && parsed.kind === 'symbol' ? { ...parsed, kind: 'natural' } : parsed;
  const byWords = query.kind !== 'symbol';
  const limits =
    byWords && options.since === undefined ? { maxCommits: MAX_WORD_COMMITS, ...defined(options) } : options;
  const open = await openHistory(session, origin, limits);
  try {
    const found = byWords ? await byText(session, origin, open, query, options) : await bySymbol(open, query, options);
    const { limit } = options;
    const kept = found.lineages.filter(({ present }) => !options.deleted || present.length === 0);
    const results = await describeLineages(session, open.history, kept.slice(0, limit), options);
    const suggestions = results.length === 0 && !byWords ? suggestNames(session, query.identifiers[0] ?? '') : [];
    return {
      schemaVersion: 1,
      query: options.query,
      kind: query.kind,
      ref: origin.resolved.ref,
      commit: origin.resolved.commit,
      window: windowOf(found.window),
      versions: { examined: found.examined, leftOut: found.leftOut, unreadable: open.source.unreadable.size },
      ...(found.ignoredCase && results.length > 0 ? { ignoredCase: true } : {}),
      ...(suggestions.length > 0 ? { suggestions } : {}),
      results,
      resultsLeftOut: byWords ? 0 : Math.max(0, kept.length - limit),
    };
  } finally {
    await open.source.close();
  }
}

interface FoundHistory {
  lineages: Lineage[];
  window: WalkWindow;
  examined: number;
  leftOut: number;
  ignoredCase: boolean;
}

function defined({ path, maxCommits, signal }: HistoryOptions): WalkLimits {
  return { path, signal, ...(maxCommits === undefined ? {} : { maxCommits }) };
}

async function bySymbol(
  { history, source }: OpenHistory,
  query: ParsedQuery,
  { meter }: HistoryOptions,
): Promise<FoundHistory> {
  const parts = query.text
    .trim()
    .replace(/^[`'"@]+|[`'"]+$|\(\)$/g, '')
    .split(/\.|::|#|\/|->|\\/)
    .filter(Boolean);
  const name = parts.pop() ?? '';
  const found = await symbolHistory(history, {
    name,
    containers: parts,
    progress: meter('versions'),
    prefetch: (versions, progress, each) => source.prefetch(versions, progress, each),
  });
  return { ...found, lineages: found.lineages.sort(byImportance) };
}

/** Names in data and documents, and local ones, are mentions of the thing rather than the thing. */
const MINOR_KINDS = new Set(['key', 'section', 'selector', 'field', 'property', 'enum-member', 'variable', 'constant']);

/** Orders present code before deleted code, definitions before data, then the latest event first as git gave them. */
function byImportance(a: Lineage, b: Lineage): number {
  return weight(b) - weight(a);
}

function weight(lineage: Lineage): number {
  const definition = newestVersion(lineage)?.definition;
  const isMajor = definition !== undefined && !MINOR_KINDS.has(definition.kind);
  return (isMajor ? 4 : 0) + (lineage.present.length > 0 ? 2 : 0) + (definition?.exported ? 1 : 0);
}

async function byText(
  session: Session,
  origin: SnapshotOrigin,
  open: OpenHistory,
  query: ParsedQuery,
  options: HistoryOptions,
): Promise<FoundHistory> {
  const { limit } = options;
  const words = wordsOf(query);
  const removed = await findRemovedText(open.history, words, options.meter('commits'));
  const { rankHistory } = await import('./corpus.js');
  const { path, deleted, signal } = options;
  const ranking = { versions: removed.versions, query, path, deleted, limit: limit * RANKED_PER_RESULT, signal };
  const { found } = await rankHistory(session, { origin, scope: open.scope, source: open.source }, ranking);
  // The code that was found is followed beyond the window, unless a window was asked for.
  const { maxCommits, since } = options;
  const history = { ...open.history, walk: { ...open.history.walk, maxCommits, since } };
  const seeds = deleted ? limit * 3 : limit;
  const lineages = await textHistory(history, session.objects, found, seeds);
  return { ...removed, lineages, ignoredCase: false };
}

const MIN_WORD = 3;

/** How the query's words begin in text: "queries" and "query" have "quer" in common. */
function wordsOf({ terms }: ParsedQuery): string[] {
  const stems = terms.map((term) => term.replace(/(?<=.{3})[yi]$/, ''));
  const long = stems.filter((word) => word.length >= MIN_WORD);
  const words = (long.length > 0 ? long : stems).map((word) => word.replace(/[^\p{L}\p{N}]/gu, '')).filter(Boolean);
  return [...new Set(words)];
}

function windowOf({ commits, oldest, end }: WalkWindow): HistoryResponse['window'] {
  return { commits, complete: end === 'root', oldest, end };
}
