/** `index`: indexes a ref, or says what that would do; for agents, a server indexes, stops and watches in the background. */
import { extname, join } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { lockHolder } from '../../base/lock.js';
import { groupDigits, shortOid } from '../../base/printable.js';
import { createProgress } from '../../base/progress.js';
import { localStateDirectory } from '../../git/repository.js';
import { overlayDirectory } from '../../overlay/state-file.js';
import { type BackgroundState, describeRun } from '../../serve/job.js';
import type { Project } from '../../serve/project.js';
import type { Session } from '../../session/session.js';
import { type ParserPool, startParsers } from '../../session/speculation.js';
import type { Asker, ServerCaller } from '../asker.js';
import { formatBytes, formatCount, formatCounts, formatSeconds, formatSkipped, withoutWords } from '../format.js';
import type { ServerWatchValues, WatchReport } from '../watch/question.js';
import {
  type DryRun,
  gaps,
  type Indexing,
  type IndexReport,
  type IndexValues,
  type ServerIndexValues,
  type StopReport,
} from './question.js';

type IndexDocument = { schemaVersion: 1 } & (DryRun | IndexReport);

/** Starts a parser while modules load and the repository opens. Throws what `indexRef` throws. */
export async function answerIndex(at: Asker, values: IndexValues): Promise<IndexDocument> {
  const parsers = values.dryRun ? undefined : startParsers();
  try {
    const { Session } = await import('../../session/session.js');
    if (values.force && !values.dryRun) await forget(at);
    const session = await Session.open({ directory: at.directory });
    try {
      return { schemaVersion: 1, ...(await run(session, { ...values, parsers, signal: at.signal })) };
    } finally {
      session.close();
    }
  } finally {
    parsers?.stop();
  }
}

/** Deletes what this machine made of records: shards, vectors, graphs. Records stay. Throws LOCKED and CANCELLED. */
async function forget({ directory, signal }: Asker): Promise<void> {
  const [{ Session }, { withWriterLock }, { rmSync }] = await Promise.all([
    import('../../session/session.js'),
    import('../../session/writer-lock.js'),
    import('node:fs'),
  ]);
  const session = await Session.open({ directory });
  try {
    const remove = async () => rmSync(session.shards.directory, { recursive: true, force: true });
    await withWriterLock(session, remove, { signal });
  } finally {
    session.close();
  }
}

type Request = IndexValues & { parsers: ParserPool | undefined; signal: AbortSignal };

async function run(
  session: Session,
  { ref, dryRun, pull, jobs, history: window, parsers, signal }: Request,
): Promise<DryRun | IndexReport> {
  if (dryRun) return (await import('./dry-run.js')).dryRun(session, { ref });
  const { indexRef, warmMessages, warmSearch } = await import('../../session/indexing/index-operation.js');
  if (pull) await pullFirst(session, ref, signal);
  const report = await indexRef(session, { ref, signal, parsers, jobs });
  await warmSearch(session, ref, signal);
  await warmMessages(session, report.commit, signal);
  if (window === undefined) return report;
  const { recordHistory } = await import('../../session/indexing/history-records.js');
  const history = await recordHistory(session, { ref, window, jobs, signal });
  // Publishes the new records in the manifest, so that the next run has nothing to do.
  if (history.new > 0) await indexRef(session, { ref, signal, unlogged: true });
  return { ...report, history };
}

async function pullFirst(session: Session, ref: string | undefined, signal: AbortSignal): Promise<void> {
  const { pullMissingModel } = await import('./dry-run.js');
  const progress = createProgress('pulling the model', 'MB');
  const megabytes = (bytes: number) => Math.round(bytes / 1e6);
  try {
    await pullMissingModel(
      session,
      ref,
      ({ status, completed, total }) => progress.update(megabytes(completed), megabytes(total), status),
      signal,
    );
  } finally {
    progress.finish();
  }
}

export function indexText(document: DryRun | IndexReport, { values }: { values: IndexValues }): string {
  const text = 'wouldParse' in document ? dryRunText(document) : indexReportText(document);
  const past = 'history' in document && document.history ? historyLine(document.history) : '';
  const missing = values.requireComplete ? gaps(document, values.strict) : '';
  return `${text}${past}${missing === '' ? '' : `incomplete: ${missing}\n`}`;
}

/** `HEAD 1a2b3c4: 2,930 files, 8,120 chunks (2,900 new, 30 reused, 12.1 MB added) in 4.1 s; skipped 12 binary` */
export function indexReportText(report: IndexReport): string {
  const where = `${report.ref} ${shortOid(report.commit ?? report.tree)}`;
  const size = `${formatCount(report.files, 'file')}, ${formatCount(report.chunks, 'chunk')}`;
  const work =
    report.new > 0
      ? `${groupDigits(report.new)} new, ${groupDigits(report.reused)} reused, ${formatBytes(report.bytesAdded)} added`
      : report.bytesAdded > 0
        ? `loaded from records, ${formatBytes(report.bytesAdded)} added`
        : 'nothing to do';
  const notes = [
    vectorClause(report.vectors),
    formatSkipped(report.skipped) && `skipped ${formatSkipped(report.skipped)}`,
    formatCounts(report.degraded) && `chunked by lines ${formatCounts(report.degraded)}`,
    report.parseErrors && `parse errors may hide declarations in ${formatCount(report.parseErrors, 'file')}`,
  ].filter(Boolean);
  return `${where}: ${size} (${work}) in ${formatSeconds(report.ms.total)}${notes.map((note) => `; ${note}`).join('')}\n`;
}

/** `past: 500 commits, 1,830 versions of files (1,700 new, 130 reused, 4.1 MB added)` */
function historyLine(history: NonNullable<IndexReport['history']>): string {
  const { commits, blobs, new: fresh, reused, failed, bytesAdded } = history;
  const counts = formatCounts({ new: fresh, reused, 'not parsed': failed });
  const added = fresh > 0 ? `, ${formatBytes(bytesAdded)} added` : '';
  return `past: ${formatCount(commits, 'commit')}, ${formatCount(blobs, 'version')} of files${counts && ` (${counts}${added})`}\n`;
}

/** `8,120 vectors of nomic-embed-text (120 made, 8,000 from records)`; '' if no chunk can have one. */
function vectorClause({ embedder, model, covered, total, embedded, loaded }: IndexReport['vectors']): string {
  if (total === 0) return '';
  const count = `${covered < total ? `${groupDigits(covered)} of ` : ''}${formatCount(total, 'vector')}`;
  if (embedder === 'builtin') return `${count}${withoutWords(total - covered)}`;
  const work = formatCounts({ made: embedded, 'from records': loaded });
  return `${count} of ${model}${work && ` (${work})`}`;
}

function dryVectorLine({ embedder, model, endpoint, wouldEmbed, isEstimate }: DryRun['vectors']): string {
  const where = endpoint === null ? '' : ` at ${endpoint}`;
  const who = embedder === 'builtin' ? 'the built-in model' : `${embedder} ${model}${where}`;
  return `  would embed ${isEstimate ? 'about ' : ''}${formatCount(wouldEmbed, 'chunk')} with ${who}`;
}

export function dryRunText(plan: DryRun): string {
  const lines = [
    `${plan.ref} ${shortOid(plan.commit ?? '')}: ${formatCount(plan.files, 'file')}, ${formatCount(plan.blobs, 'blob')}`,
    `  would parse ${formatCount(plan.wouldParse, 'blob')} (${formatBytes(plan.sourceBytes)}), load ${formatCount(plan.wouldLoad, 'record')}`,
    dryVectorLine(plan.vectors),
    `  estimated: ${formatSeconds(plan.estimatedSeconds * 1000)}, ${formatBytes(plan.estimatedBytes)} on disk`,
  ];
  if (Object.keys(plan.skipped).length > 0) lines.push(`  skipped: ${formatSkipped(plan.skipped)}`);
  return `${lines.join('\n')}\n`;
}

// Effect of further file extensions. Every text file is indexed anyway, so most need nothing.

const MAX_EXTENSIONS = 50;

/** `list` is separated by commas, with dots or without. Throws BAD_ARGUMENT. */
export async function describeExtensions(
  session: Session,
  list: string,
  ref?: string,
): Promise<NonNullable<Indexing['extensions']>> {
  const wanted = parseExtensions(list);
  const { catalog } = await session.filesOf(await session.origin(ref, { unborn: true }));
  const found = new Map(wanted.map((extension) => [extension, { files: 0, languages: new Set<string>() }]));
  for (const { path, language } of catalog.files) {
    const entry = found.get(extname(path).toLowerCase());
    if (entry === undefined) continue;
    entry.files++;
    if (language !== null) entry.languages.add(language);
  }
  return [...found].map(([extension, { files, languages }]) => ({
    ...{ extension, files, languages: [...languages].sort() },
  }));
}

function parseExtensions(list: string): string[] {
  const parts = list.split(',').map((part) => part.trim().toLowerCase());
  const extensions = [...new Set(parts.filter((part) => part !== '').map((part) => `.${part.replace(/^\./, '')}`))];
  const bad = extensions.find((extension) => !/^\.[a-z0-9+_-]{1,31}$/.test(extension));
  if (bad !== undefined || extensions.length === 0 || extensions.length > MAX_EXTENSIONS) {
    const what = bad === undefined ? `${extensions.length} extensions` : `not an extension: ${JSON.stringify(bad)}`;
    throw new SocraticodeError('BAD_ARGUMENT', what, { hint: 'extraExtensions is a list such as ".tpl,.inc".' });
  }
  return extensions;
}

// Indexing by a server for an agent: start and wait, stop, delete, watch.

/** Wait of the first tool: enough for a few files; for more, the reply gives the state. */
const MOMENT_MS = 2_000;
/** Wait of the second tool: clients wait a minute for a reply. */
const LONG_MS = 50_000;

const answerIn =
  (waitMs: number) =>
  ({ server, signal, progress }: Asker, values: ServerIndexValues): Promise<Indexing> =>
    indexProject((server as ServerCaller).project, { ...values, signal, report: progress, waitMs });

/** Answers of the two tools that index, by how long they wait. */
export const answerServerIndex = { moment: answerIn(MOMENT_MS), long: answerIn(LONG_MS) };

type Tell = (done: number, total: number | null, message: string) => void;

interface IndexRequest {
  ref?: string;
  /** As the tool takes them: `.tpl,.inc`. */
  extraExtensions?: string;
  /** Milliseconds to wait; the run goes on either way. */
  waitMs: number;
  signal?: AbortSignal;
  report?: Tell;
}

/** Starts indexing, or joins the current run. Throws UNKNOWN_REF, BAD_ARGUMENT and CANCELLED. */
async function indexProject(project: Project, request: IndexRequest): Promise<Indexing> {
  const { ref, extraExtensions, waitMs, signal, report } = request;
  const { session, background } = project;
  const named = extraExtensions === undefined ? null : await describeExtensions(session, extraExtensions, ref);
  const { resolved } = await session.origin(ref, { unborn: true });
  const onProgress = report && ((state: BackgroundState) => reportState(state, report));
  const outcome = await background.update({ ref }, { waitMs, signal, onProgress });
  const about = {
    schemaVersion: 1 as const,
    ...{ ref: resolved.ref, commit: resolved.commit, progress: null, report: null, error: null },
    ...(named !== null && { extensions: named }),
  };
  if (outcome.status === 'done') return { ...about, state: 'done', report: outcome.report };
  if (outcome.status === 'running') return { ...about, state: 'running', progress: progressOf(outcome.state) };
  const { code, message, hint } = outcome.error;
  return { ...about, state: 'failed', error: { code, message, hint } };
}

function progressOf({ running }: BackgroundState): NonNullable<Indexing['progress']> {
  if (running === null) return { phase: 'waiting', done: 0, total: null };
  const { phase, done, total } = running;
  return { phase, done, total: total === 0 ? null : total };
}

function reportState({ running }: BackgroundState, report: Tell): void {
  if (running !== null) report(running.done, running.total === 0 ? null : running.total, describeRun(running));
}

/** Stops the work of this server; other processes go on. */
export async function answerStop({ session, server }: Asker): Promise<StopReport> {
  const { background } = (server as ServerCaller).project;
  const stopped = await background.stop();
  return {
    schemaVersion: 1,
    stopped,
    writer: lockHolder(join(localStateDirectory(session.repository), 'writer.lock')),
  };
}

export function indexingText(indexing: Indexing): string {
  return `${[stateLine(indexing), ...(indexing.extensions ?? []).map(extensionLine)].join('\n')}\n`;
}

function stateLine({ ref, state, progress, report, error }: Indexing): string {
  if (state === 'done' && report !== null) {
    const fault = report.vectors.fault;
    const missing = fault === null ? '' : `\nvectors are missing: ${fault.message}; ${fault.hint}`;
    return `${indexReportText(report).trimEnd()}${missing}`;
  }
  if (state === 'failed' && error !== null) return `indexing ${ref} failed: ${error.message}; ${error.hint}`;
  const { phase = 'starting', done = 0, total = null } = progress ?? {};
  const share = total === null ? '' : ` ${Math.floor((100 * done) / total)}% (${done}/${total})`;
  return `${ref}: ${phase}${share}; until then searches answer from the files indexed so far; call again to see progress`;
}

export function extensionLine({ extension, files, languages }: NonNullable<Indexing['extensions']>[number]): string {
  if (files === 0)
    return `${extension}: no such file is indexed; if a rule leaves it out: "include": ["*${extension}"] in .socraticode.json`;
  const as = languages.length === 0 ? 'as plain text' : `as ${languages.join(', ')}`;
  const parse = languages.length === 0 ? `; to parse: "languages": {"${extension}": "php"} in .socraticode.json` : '';
  return `${extension}: ${formatCount(files, 'file')} indexed ${as} without it${parse}`;
}

export function stopText({ stopped, writer }: StopReport): string {
  const what = stopped ? 'stopped; what was finished is kept' : 'nothing was being indexed here';
  const other = writer === null ? '' : `; process ${writer} is writing the index, and is left alone`;
  return `${what}${other}\n`;
}

/** Catches up with changes on `start`; a server also notices changes by itself. */
export async function answerServerWatch(
  { server, signal, progress }: Asker,
  { action }: ServerWatchValues,
): Promise<WatchReport> {
  const { project } = server as ServerCaller;
  const { repository, shards } = project.session;
  const isBare = repository.workTree === null;
  const indexing =
    action === 'start' ? await indexProject(project, { signal, report: progress, waitMs: LONG_MS }) : null;
  if (action === 'start') await project.startWatching();
  return {
    schemaVersion: 1,
    action,
    watches: project.watches,
    watcher: isBare ? null : lockHolder(join(overlayDirectory(shards.directory, repository.gitDir), 'watch.lock')),
    reason: isBare ? 'a bare repository has no work tree' : null,
    indexing,
  };
}

export function serverWatchText({ action, watches, watcher, reason, indexing }: WatchReport): string {
  const state = watches
    ? 'changes of the work tree are noticed by themselves'
    : 'git is asked for changes with every question';
  const lines = [
    ...(indexing === null ? [] : [indexingText(indexing).trimEnd()]),
    reason ?? state,
    ...(action === 'stop' ? ['nothing to stop: answers always know uncommitted files'] : []),
    ...(watcher === null ? [] : [`process ${watcher} keeps this work tree ready, too`]),
  ];
  return `${lines.join('\n')}\n`;
}
