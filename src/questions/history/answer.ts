/** `history`: the commits in which code appeared, changed, moved and disappeared, deleted code included. */
import { SocraticodeError } from '../../base/errors.js';
import { shellWord, shortOid, signs, visibleLine } from '../../base/printable.js';
import { createProgress, type Progress } from '../../base/progress.js';
import { editDistance } from '../../base/spelling.js';
import { nameKey } from '../../extract/terms.js';
import type { SideRefs } from '../../git/branches.js';
import { type CommitInfo, readCommit } from '../../git/commits.js';
import type { WalkWindow } from '../../git/log.js';
import { openScratch } from '../../git/merge.js';
import { TracedName, textOf } from '../../history/file-versions.js';
import { findRemovedText, symbolHistory, textHistory } from '../../history/text-history.js';
import {
  droppingMerge,
  firstAppearance,
  type HistoryScope,
  type Lineage,
  lastDisappearance,
  newestVersion,
  type TraceEvent,
  type Version,
} from '../../history/trace.js';
import { commandText } from '../../params/param.js';
import { type ParsedQuery, parseQuery } from '../../search/query.js';
import { addElsewhere, type OpenHistory, openHistory, type WalkLimits } from '../../session/history/open-history.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import type { Asker } from '../asker.js';
import { dateText, formatCount } from '../format.js';
import type { Pen, Words, Writing } from '../pen.js';
import { commitsText, cutNames, namesOf } from '../result-text.js';
import type { CommitsDocument } from '../search/output.js';
import { type HistoryResponse, type HistoryValues, MAX_WORD_COMMITS, REPLY_LINES } from './question.js';

interface HistoryOptions extends HistoryValues {
  query: string;
  /** Lines shown of each result; undefined for all. */
  contentLines: number | undefined;
  signal: AbortSignal;
  /** Makes a progress meter; `unit` names what it counts. */
  meter: (unit: string) => Progress;
  /** Prints a line while the answer is made; undefined where nobody waits at a terminal. */
  say?: (line: string) => void;
}

/** Chunks ranked for each result, since versions of the same code are shown as one. */
const RANKED_PER_RESULT = 12;

/** Throws EMPTY_QUERY, BAD_ARGUMENT, UNKNOWN_REF, GIT_FAILED or CANCELLED. */
export async function answerHistory(at: Asker, values: HistoryValues): Promise<HistoryResponse | CommitsDocument> {
  if (values.commits) return (await import('./commits.js')).answerCommits(at, values);
  const { session, signal, server } = at;
  const { query = '' } = values;
  if (query.trim() === '') {
    throw new SocraticodeError('EMPTY_QUERY', 'the query is empty', {
      hint: `Name a symbol, or say what to look for: ${commandText('history')} "retry with backoff"`,
    });
  }
  if (values.allRefs) {
    const ofPath = await (await import('./commits.js')).answerPath(at, { ...values, query });
    if (ofPath !== null) return ofPath;
  } else if (!values.words && /^[^\s./]*[./]\S*$/.test(query))
    await (await import('../history-targets.js')).refusePath(at, query, values.ref);
  const contentLines = server === undefined ? undefined : REPLY_LINES;
  const meter = (unit: string) => meterOf(at, unit);
  const options: HistoryOptions = { ...values, query, signal, contentLines, meter, say: sayerOf(at) };
  return retried(session, values.ref, () => answerOnce(session, options));
}

/** Progress line in a terminal; elsewhere a message to the page or the agent that asks. */
function meterOf({ command, progress }: Asker, unit: string): Progress {
  if (command !== undefined) return createProgress('reading history', unit);
  return { update: (done, total) => progress(done, total, `reading history: ${unit}`), finish: () => {} };
}

/** Lines go to stderr, since the answer that follows on stdout says all of it in its order. */
function sayerOf({ command }: Asker): HistoryOptions['say'] {
  const stderr = command?.io.stderr;
  if (command?.json !== false || stderr?.isTTY !== true) return undefined;
  return (line) => stderr.write(`\r\x1b[K${line}\n`);
}

async function answerOnce(session: Session, options: HistoryOptions): Promise<HistoryResponse> {
  const origin = await session.origin(options.ref);
  const query = queryOf(options);
  const byWords = query.kind !== 'symbol';
  const limits =
    byWords && options.since === undefined ? { maxCommits: MAX_WORD_COMMITS, ...givenLimits(options) } : options;
  const open = await openHistory(session, origin, { ...limits, parseMs: PARSE_MS });
  const { side } = open;
  try {
    const found = byWords
      ? await byText(session, origin, open, query, options)
      : await bySymbol(session, open, query, options);
    const { limit } = options;
    const isGone = ({ present, elsewhere }: Lineage) => present.length === 0 && elsewhere === undefined;
    const matched = found.lineages.filter((lineage) => !options.deleted || isGone(lineage));
    const results = await describeLineages(session, open.history, matched.slice(0, limit), { ...options, side });
    const suggestions = results.length === 0 && !byWords ? suggestNames(session, query.identifiers[0] ?? '') : [];
    return {
      schemaVersion: 1,
      query: options.query,
      kind: query.kind,
      ref: origin.resolved.ref,
      commit: origin.resolved.commit,
      window: { ...windowOf(found.window), ...(side && { refs: side.branches.length + side.tags.length }) },
      versions: versionsOf(found, open.source),
      ...(found.ignoredCase && results.length > 0 ? { ignoredCase: true } : {}),
      ...(suggestions.length > 0 ? { suggestions } : {}),
      results,
      resultsLeftOut: byWords ? 0 : Math.max(0, matched.length - limit),
    };
  } finally {
    await open.source.close();
  }
}

function queryOf({ query, words, allRefs }: HistoryOptions): ParsedQuery {
  const parsed = parseQuery(query);
  const found: ParsedQuery = words && parsed.kind === 'symbol' ? { ...parsed, kind: 'natural' } : parsed;
  if (found.kind === 'symbol' || !allRefs) return found;
  const ofOne = commandText(`history ${shellWord(query)}`, { ref: 'BRANCH' });
  throw new SocraticodeError('BAD_ARGUMENT', 'words are searched in the history of one ref', {
    hint: `Name a symbol, a file or a folder, or one branch: ${ofOne}`,
  });
}

/** Time in which versions of files are parsed. All of a busy file of twenty years take minutes, the first time. */
const PARSE_MS = 30_000;

function versionsOf(
  { examined, leftOut }: FoundHistory,
  { unreadable, late }: Pick<OpenHistory['source'], 'unreadable' | 'late'>,
): HistoryResponse['versions'] {
  const counts = { examined, leftOut: leftOut + late.size, unreadable: unreadable.size - late.size };
  return late.size > 0 ? { ...counts, outOfTime: late.size } : counts;
}

interface FoundHistory {
  lineages: Lineage[];
  window: WalkWindow;
  examined: number;
  leftOut: number;
  ignoredCase: boolean;
}

/** Limits of a walk without a date. One that was not given is left out, since it would replace a default. */
function givenLimits({ path, maxCommits, signal }: HistoryOptions): WalkLimits {
  return { path, signal, ...(maxCommits === undefined ? {} : { maxCommits }) };
}

async function bySymbol(
  session: Session,
  { history, source, side }: OpenHistory,
  query: ParsedQuery,
  { meter, say }: HistoryOptions,
): Promise<FoundHistory> {
  const parts = query.text
    .trim()
    .replace(/^[`'"@]+|[`'"]+$|\(\)$/g, '')
    .split(/\.|::|#|\/|->|\\/)
    .filter(Boolean);
  const name = parts.pop() ?? '';
  if (say !== undefined) for (const path of definingFiles(session, name, history.tip)) say(`defined now in ${path}`);
  const found = await symbolHistory(history, {
    name,
    containers: parts,
    meter,
    openScratch: () => openScratch(session.repository),
    ...(say === undefined ? {} : { onFound: sayFirst(session, say) }),
    prefetch: (versions, progress, each) => source.prefetch(versions, progress, each),
  });
  if (side !== null) {
    const traced = new TracedName(source, name, found.ignoredCase);
    await addElsewhere(session, found.lineages, { traced, side });
  }
  return { ...found, lineages: found.lineages.sort(byImportance) };
}

/** Lines that are printed while the answer is made. */
const FIRST_LINES = 10;

/** Files at the ref that define a name, from the index: an answer within a second, before history is read. */
function definingFiles({ shards }: Session, name: string, tip: ReadonlyMap<string, string>): string[] {
  const oids = new Set<string>();
  for (const shard of shards.openShards(shards.readManifest())) {
    const index = shard.names.find(nameKey(name));
    const documents = index < 0 ? [] : shard.definitions(index).map(({ document }) => document);
    for (let unit = 0; documents.length > 0 && unit < shard.unitFirst.length; unit++) {
      const end = shard.unitFirst[unit] + shard.unitDocuments[unit];
      if (documents.some((at) => at >= shard.unitFirst[unit] && at < end)) oids.add(shard.unitOid(unit));
    }
  }
  const paths = [...tip].flatMap(([path, oid]) => (oids.has(oid) ? [visibleLine(path)] : []));
  const rest = paths.length - FIRST_LINES;
  return [...paths.slice(0, FIRST_LINES), ...(rest > 0 ? [formatCount(rest, 'more file')] : [])];
}

/** Says which commits brought the first versions of files that may define the name. */
function sayFirst({ objects }: Session, say: (line: string) => void) {
  const seen = new Set<string>();
  return ({ commit, path }: { commit: string; path: string }): void => {
    if (seen.size >= FIRST_LINES || seen.has(`${commit} ${path}`)) return;
    seen.add(`${commit} ${path}`);
    // A commit that cannot be read is reported by the answer.
    readCommit(objects, commit).then(
      (info) => say(`found in ${shortOid(commit)} ${info?.date?.slice(0, DATE_LENGTH) ?? ''} ${visibleLine(path)}`),
      () => {},
    );
  };
}

/** Kinds that mention a thing rather than define it: names in data and documents, and local names. */
const MINOR_KINDS = new Set(['key', 'section', 'selector', 'field', 'property', 'enum-member', 'variable', 'constant']);

/** Orders by weight; equals stay in their order, which begins with the latest event. */
function byImportance(a: Lineage, b: Lineage): number {
  return weight(b) - weight(a);
}

/**
 * Definitions weigh more than data and text. Of each, code at the ref weighs more than code on other branches, and that more than deleted
 * code. Exported code weighs more than other code unless it is deleted: on another branch it comes before what is not exported at the ref.
 */
function weight(lineage: Lineage): number {
  const definition = newestVersion(lineage)?.definition;
  const isMajor = definition !== undefined && !MINOR_KINDS.has(definition.kind);
  const standing = lineage.present.length > 0 ? 2 : lineage.elsewhere === undefined ? 0 : 1.5;
  return (isMajor ? 4 : 0) + standing + (definition?.exported ? 1 : 0);
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
  // Found code is followed beyond the window, unless the caller named a window.
  const { maxCommits, since } = options;
  const history = { ...open.history, walk: { ...open.history.walk, maxCommits, since } };
  const seeds = deleted ? limit * 3 : limit;
  const lineages = await textHistory(history, session.objects, found, seeds);
  return { ...removed, lineages, ignoredCase: false };
}

const MIN_WORD = 3;

/** Stems of the query's words: "queries" and "query" share "quer". */
function wordsOf({ terms }: ParsedQuery): string[] {
  const stems = terms.map((term) => term.replace(/(?<=.{3})[yi]$/, ''));
  const long = stems.filter((word) => word.length >= MIN_WORD);
  const words = (long.length > 0 ? long : stems).map((word) => word.replace(/[^\p{L}\p{N}]/gu, '')).filter(Boolean);
  return [...new Set(words)];
}

function windowOf({ commits, oldest, end }: WalkWindow): HistoryResponse['window'] {
  return { commits, complete: end === 'root', oldest, end };
}

// Suggests names like one that was not found, from the definitions in the shards.

const MAX_SUGGESTIONS = 3;
/** More edits than a third of the name's letters give another name. */
const LETTERS_PER_EDIT = 3;

function suggestNames({ shards }: Session, name: string): string[] {
  const wanted = nameKey(name);
  const limit = Math.max(1, Math.floor(wanted.length / LETTERS_PER_EDIT));
  const best = new Map<string, number>();
  for (const shard of shards.openShards(shards.readManifest())) {
    for (let i = 0; i < shard.names.length; i++) {
      const key = shard.names.at(i);
      if (Math.abs(key.length - wanted.length) > limit) continue;
      const distance = editDistance(wanted, key);
      if (distance > limit || distance === 0) continue;
      const document = shard.definitions(i)[0]?.document;
      const symbol = document === undefined ? null : shard.documentSymbol(document);
      // The key is lower case, so the name is taken as it is written.
      const written = symbol?.split('.').find((part) => nameKey(part) === key) ?? key;
      best.set(written, Math.min(distance, best.get(written) ?? distance));
    }
  }
  return [...best]
    .sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(([written]) => written);
}

type Result = HistoryResponse['results'][number];

/** Most events listed of one result; the first appearance is always listed. */
const MAX_EVENTS = 50;
/** Most text shown of one result. */
const MAX_CONTENT_BYTES = 64 * 1024;

async function describeLineages(
  session: Session,
  history: HistoryScope,
  lineages: readonly Lineage[],
  { noContent, contentLines, side }: Pick<Described, 'noContent' | 'contentLines' | 'side'>,
): Promise<Result[]> {
  const commits = new Map<string, Promise<CommitInfo | null>>();
  const infoOf = (oid: string) => {
    if (!commits.has(oid)) commits.set(oid, readCommit(session.objects, oid));
    return commits.get(oid) as Promise<CommitInfo | null>;
  };
  const results: Result[] = [];
  for (const lineage of lineages) {
    const version = newestVersion(lineage);
    if (version !== null)
      results.push(await describe(session, history, { lineage, version, infoOf, noContent, contentLines, side }));
  }
  return results;
}

interface Described {
  lineage: Lineage;
  version: Version;
  infoOf: (oid: string) => Promise<CommitInfo | null>;
  noContent?: boolean;
  contentLines?: number;
  side: SideRefs | null;
}

async function describe(session: Session, history: HistoryScope, described: Described): Promise<Result> {
  const { lineage, version, infoOf, noContent, contentLines, side } = described;
  const { events, present, elsewhere } = lineage;
  const first = firstAppearance(lineage);
  const last = removalOf(lineage, side);
  const isPresent = present.length > 0;
  const isLost = !isPresent && last === null && elsewhere === undefined;
  const merge = isLost ? await droppingMerge(history, lineage, version) : null;
  const gone = merge ?? last?.commit ?? null;
  // Changes count until the code was gone: a branch that did not have the removal yet may have changed it later.
  const known = last === null ? events : events.slice(events.indexOf(last));
  const changed = known.find(({ type, parts }) => type === 'changed' || (type === 'moved' && parts !== undefined));
  const listed = events.slice(0, MAX_EVENTS);
  if (first !== null && !listed.includes(first)) listed.push(first);
  const brief = async (oid: string) => briefOf(oid, await infoOf(oid), side);
  const briefOrNull = async (oid: string | undefined) => (oid === undefined ? null : brief(oid));
  const disappeared = gone === null ? null : { ...(await brief(gone)), merge: merge !== null };
  const content = noContent ? null : await textOf(version, history.source);
  return {
    path: version.path,
    startLine: version.definition.startLine,
    endLine: version.definition.endLine,
    symbol: version.definition.symbol || null,
    kind: version.definition.kind,
    present: isPresent,
    ...(elsewhere && cutNames('elsewhere', elsewhere.refs)),
    paths: [...new Set([version.path, ...lineage.places.map(({ path }) => path).sort()])],
    firstAppeared: await briefOrNull(first?.commit),
    lastChanged: await briefOrNull(changed?.commit),
    disappeared,
    changes: events.filter(({ type }) => type === 'changed' || type === 'moved').length,
    events: await Promise.all(listed.map(async (event) => eventOf(event, await brief(event.commit)))),
    eventsLeftOut: events.length - listed.length,
    blob: version.oid,
    show: await showOf(session, { version, tip: isPresent ? history.walk.tip : elsewhere?.commit, gone, infoOf }),
    ...(content === null ? {} : { content: firstLines(content.subarray(0, MAX_CONTENT_BYTES), contentLines) }),
  };
}

/** The ref's own removal says more of it than one on another branch. */
function removalOf(lineage: Lineage, side: SideRefs | null): TraceEvent | null {
  const own = lineage.events.filter(({ commit }) => !side?.having(commit).length);
  return lastDisappearance({ ...lineage, events: own }) ?? lastDisappearance(lineage);
}

function firstLines(content: Buffer, lines = Infinity): string {
  const text = content.toString('utf8');
  return lines === Infinity ? text : text.split('\n').slice(0, lines).join('\n');
}

function briefOf(oid: string, info: CommitInfo | null, side: SideRefs | null): Commit {
  const names = side?.having(oid) ?? [];
  const said = { date: info?.date ?? null, author: info?.author ?? '', subject: info?.subject ?? '' };
  return { commit: oid, ...(names.length > 0 && cutNames('refs', names)), ...said };
}

function eventOf(event: TraceEvent, brief: Commit): Result['events'][number] {
  const { type, path, from, parts, after, before } = event;
  return {
    type,
    ...brief,
    path,
    ...(from === undefined || type === 'changed' ? {} : { from: from.path }),
    symbol: (after ?? before)?.definition.symbol || null,
    ...(parts === undefined ? {} : { parts }),
  };
}

/** `COMMIT:PATH` of the shown version: `tip`, a commit that has it, or the last commit before the code was gone. */
async function showOf(
  { objects }: Session,
  place: Pick<Described, 'version' | 'infoOf'> & { tip: string | undefined; gone: string | null },
): Promise<string | null> {
  const { version, tip, gone, infoOf } = place;
  const candidates = tip !== undefined ? [tip] : gone === null ? [] : ((await infoOf(gone))?.parents ?? []);
  for (const commit of candidates) {
    const found = await objects.info(`${commit}:${version.path}`);
    if (found?.oid === version.oid) return `${commit}:${version.path}`;
  }
  return null;
}

interface Style {
  pen: Pen;
  /** Lines shown of each result; 0 for all. */
  lines: number;
  /** Lists events. */
  events?: boolean;
}

type Commit = NonNullable<Result['firstAppeared']>;

export function historyText(
  response: HistoryResponse | CommitsDocument,
  { pen, values, isCommand }: Writing<{ lines?: number; events?: boolean; deleted?: boolean }>,
): string {
  if (!('kind' in response)) return commitsText(response, { pen });
  const { lines = REPLY_LINES, events } = values;
  const style: Style = isCommand ? { pen, lines, events } : { pen, lines: REPLY_LINES, events: true };
  const blocks = response.results.map((result) => resultText(result, response, style));
  const foot = footer(response, pen.words, values.deleted).map((line) => `${pen.dim(line)}\n`);
  return `${blocks.join('\n')}${blocks.length > 0 ? '\n' : ''}${foot.join('')}`;
}

/** Events that the rows above do not show. */
function unreportedEvents({ events, firstAppeared, disappeared }: Result): Result['events'] {
  return events.filter(
    ({ type, commit }) =>
      !(type === 'appeared' && commit === firstAppeared?.commit) &&
      !(type === 'disappeared' && commit === disappeared?.commit),
  );
}

function resultText(result: Result, response: HistoryResponse, style: Style): string {
  const { pen } = style;
  const { firstAppeared: first, lastChanged: changed, disappeared: gone } = result;
  const name = result.symbol === null ? '' : `  ${pen.symbol(nameOf(result.symbol, result.kind))}`;
  const lines = [`${pen.path(result.path)}${name}  ${pen.dim(result.kind)}  ${stateOf(result, pen)}`];
  lines.push(row('first appeared', first === null ? unknownStartText(response) : commitLine(first, pen)));
  if (changed !== null) lines.push(row('last changed', `${commitLine(changed, pen)}${countOf(result)}`));
  if (gone !== null) lines.push(row('disappeared', `${commitLine(gone, pen)}${gone.merge ? ' (in a merge)' : ''}`));
  else if (isDeleted(result)) lines.push(row('disappeared', 'in a commit that was not found'));
  const others = result.paths.slice(1);
  if (others.length > 0) lines.push(row('also at', others.join(', ')));
  if (style.events) lines.push(...unreportedEvents(result).map((event) => eventLine(event, pen)));
  if (style.events && result.eventsLeftOut > 0) lines.push(`  (${formatCount(result.eventsLeftOut, 'more event')})`);
  lines.push(...contentLines(result, style));
  if (!result.present && result.show !== null)
    lines.push(pen.dim(`  git show ${shellWord(result.show.replace(LONG_OID, '$1'))}`));
  return `${lines.join('\n')}\n`;
}

const isDeleted = ({ present, elsewhere }: Result): boolean => !present && elsewhere === undefined;

function stateOf(result: Result, pen: Pen): string {
  if (result.present) return 'present';
  return pen.match(
    isDeleted(result) ? 'deleted' : `only on ${namesOf(result.elsewhere ?? [], result.elsewhereLeftOut)}`,
  );
}

const row = (label: string, text: string): string => `  ${label.padEnd(15)}${text}`;

/** Older changes are not known where the first appearance is not. */
const countOf = ({ changes, firstAppeared }: Result): string =>
  changes > 1 ? ` (${firstAppeared === null ? 'at least ' : ''}${formatCount(changes, 'change')})` : '';

/** Shortens object ids to 12 digits, as git does in repositories with hundreds of thousands of objects. */
const LONG_OID = /^([0-9a-f]{12})[0-9a-f]{28,}(?=:)/;
const DATE_LENGTH = 10;

function commitLine({ commit, date, author, subject, refs, refsLeftOut }: Commit, pen: Pen): string {
  const words = [pen.line(shortOid(commit)), dateText(date)];
  const side = refs === undefined ? [] : [`on ${namesOf(refs, refsLeftOut)}`];
  return [...words, subject, pen.dim(`(${author})`), ...side].join(' ');
}

function eventLine(event: Result['events'][number], pen: Pen): string {
  const from = event.from === undefined || event.from === event.path ? '' : ` from ${event.from}`;
  const parts = event.parts === undefined ? '' : ` (${event.parts.join(', ')})`;
  const what = `${event.type}${parts}${from}`;
  return `    ${commitLine(event, pen)}  ${what}`;
}

/** Longest name of a section that is shown whole, in UTF-16 code units. */
const MAX_HEADING = 60;

/** Name of a result. A section's name joins all headings above it, which are sentences: a long one is cut to its last heading. */
function nameOf(symbol: string, kind: string): string {
  if (kind !== 'section' || symbol.length <= MAX_HEADING) return symbol;
  // Dots join the headings, and headings hold dots of their own: "1.0", "and so on. Then".
  const headings = symbol.split(/(?<!\d)\.(?!\s)|\.(?![\s\d])/);
  let name = headings.pop() ?? symbol;
  while (headings.length > 0 && `${headings.at(-1)}.${name}`.length < MAX_HEADING) name = `${headings.pop()}.${name}`;
  const cut = name.length > MAX_HEADING ? `${name.slice(0, MAX_HEADING).trimEnd()}${signs.cut}` : name;
  return headings.length > 0 ? `${signs.cut} ${cut}` : cut;
}

/** Stands for the first appearance where no commit is known for it. */
function unknownStartText({ window, versions }: HistoryResponse): string {
  if (versions.unreadable > 0)
    return `not known: this clone lacks ${formatCount(versions.unreadable, 'version')} of files`;
  return window.oldest === null
    ? 'not in the commits that were walked'
    : `in or before ${shortOid(window.oldest)}, the oldest commit that was walked`;
}

/** Longest line that is shown whole, in UTF-16 code units: minified code fills a terminal. */
const MAX_LINE = 200;

function contentLines({ content, startLine, endLine }: Result, { lines, pen }: Style): string[] {
  if (content === undefined) return [];
  const all = content.split('\n');
  const shown = lines <= 0 ? all : all.slice(0, lines);
  const text = shown.map((line, i) => {
    const cut = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}${signs.cut}` : line;
    return `  ${pen.line(String(startLine + i))}:${cut}`;
  });
  const rest = Math.max(all.length, endLine - startLine + 1) - shown.length;
  if (rest > 0) text.push(pen.dim(`  ${signs.cut} ${formatCount(rest, 'more line')}`));
  return text;
}

function footer(response: HistoryResponse, words: Words, deleted = false): string[] {
  const { window, versions, results, suggestions, resultsLeftOut } = response;
  const lines: string[] = [];
  const name = response.query;
  if (results.length === 0)
    lines.push(response.kind === 'symbol' ? nothingCalled(name, response, deleted) : 'nothing found');
  // A name that is still defined has names like it, too.
  if (suggestions !== undefined && !deleted) lines.push(`did you mean ${suggestions.join(', ')}?`);
  if (results.length === 0 && response.kind === 'symbol') lines.push(words.words);
  if (response.ignoredCase) lines.push(`no definition is written ${name}; upper and lower case were ignored`);
  if (resultsLeftOut > 0) lines.push(`${formatCount(resultsLeftOut, 'more definition')}: ${words.narrower}`);
  if (!window.complete) lines.push(`searched ${formatCount(window.commits, 'commit')}${windowEnd(window, words)}`);
  if (window.refs === 0) lines.push('no branch and no tag has commits that the ref lacks');
  else if (window.refs !== undefined)
    lines.push(`walked the ref and ${formatCount(window.refs, 'branch or tag', 'branches and tags')} beside it`);
  lines.push(...leftOut(versions, words));
  if (versions.unreadable > 0 && (results.length > 0 || response.kind !== 'symbol'))
    lines.push(`${formatCount(versions.unreadable, 'file version')} could not be read`);
  return lines;
}

function leftOut(versions: HistoryResponse['versions'], words: Words): string[] {
  const lines: string[] = [];
  const late = versions.outOfTime ?? 0;
  const tooMany = versions.leftOut - late;
  if (tooMany > 0) lines.push(`${formatCount(tooMany, 'file version')} not looked into: too many; ${words.path}`);
  if (late > 0)
    lines.push(
      `${formatCount(late, 'file version')} not looked into: out of time, so events may lack; asking again goes on from there`,
    );
  return lines;
}

/** Says that a name was never defined, or has no definition that is gone, and in the same sentence which files or commits this clone lacks. */
function nothingCalled(name: string, { window, versions }: HistoryResponse, deleted: boolean): string {
  const gaps = [
    ...(window.end === 'shallow' ? ['the commits before those of this shallow clone'] : []),
    ...(versions.unreadable > 0
      ? [`${formatCount(versions.unreadable, 'version')} of files that this clone lacks`]
      : []),
  ];
  if (gaps.length === 0 && deleted) return `no definition of ${name} is gone in what was searched`;
  if (gaps.length === 0) return `${name} was never defined in what was searched`;
  return `${name} was not found; it may be defined in ${gaps.join(', and in ')}: not searched`;
}

function windowEnd({ end }: HistoryResponse['window'], words: Words): string {
  if (end === 'max-commits') return `: ${words.maxCommits}`;
  if (end === 'shallow') return `: this is a shallow clone, ${words.unshallow}`;
  return end === 'since' ? ' since the given date' : '';
}
