/** Answers `why`: authors of the lines, and commits that changed them before. */
import { isSocraticodeError } from '../../base/errors.js';
import { shortOid, signs } from '../../base/printable.js';
import { type BlamedLines, blame, lineLog } from '../../git/blame.js';
import { readCommit } from '../../git/commits.js';
import { withoutLocalFilters } from '../../git/repository.js';
import { cut } from '../../graph/query/node-place.js';
import { type ChangeLog, mergesOf } from '../../history/change-log.js';
import { type Mention, mentionsIn } from '../../history/commit-messages.js';
import { readChangeLog } from '../../session/history/change-log.js';
import { commitOf } from '../../session/history/open-history.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { dateText, formatCount, quoted } from '../format.js';
import { findLines, type LinesPlace } from '../history-targets.js';
import type { Pen } from '../pen.js';
import { more } from '../view.js';
import { MAX_COMMITS, type WhyDocument, type WhyValues } from './question.js';

type Reason = WhyDocument['commits']['list'][number];

/** Throws BAD_ARGUMENT for a place that does not exist, and UNKNOWN_REF. */
export async function answerWhy(at: Asker, values: WhyValues): Promise<WhyDocument> {
  return retried(at.session, values.ref, () => answerOnce(at, values));
}

async function answerOnce(at: Asker, values: WhyValues): Promise<WhyDocument> {
  const { session, signal } = at;
  const resolved = await session.objects.resolve(values.ref ?? 'HEAD');
  const commit = commitOf(resolved);
  const [place, log] = await Promise.all([
    findLines(at, values, commit),
    readChangeLog(session, { tip: commit, signal }),
  ]);
  const { contents, ...lines } = place;
  const { basis, found } = await commitsBehind(session, { place, commit, log, signal });
  const wanted = cut([...found.values()], values.limit);
  const merges = mergesOf(log);
  const written = [...found.values()].reduce((sum, { lines: own }) => sum + own, 0);
  return {
    ...{ schemaVersion: 1, place: values.place, ref: values.ref ?? 'HEAD', commit, ...lines },
    uncommitted: contents === undefined || basis === 'file' ? 0 : lines.endLine - lines.startLine + 1 - written,
    basis,
    commits: {
      list: await Promise.all(wanted.list.map((one) => reasonOf(session, one, merges.get(one.commit), values.full))),
      leftOut: wanted.leftOut,
    },
  };
}

/** A commit that wrote lines. */
interface Behind {
  commit: string;
  /** Its lines that are unchanged since. */
  lines: number;
  from?: string;
}

interface BehindQuestion {
  place: LinesPlace;
  commit: string;
  log: ChangeLog;
  signal: AbortSignal;
}

async function commitsBehind(
  session: Session,
  question: BehindQuestion,
): Promise<{ basis: WhyDocument['basis']; found: ReadonlyMap<string, Behind> }> {
  const { place, log } = question;
  try {
    return { basis: 'lines', found: inOrder(await linesBehind(session, question), log) };
  } catch (error) {
    if (!isSocraticodeError(error, 'GIT_FAILED') && !isSocraticodeError(error, 'UNREADABLE_OBJECT')) throw error;
    const touching = log.commits.filter(({ paths }) => paths.includes(place.path));
    return { basis: 'file', found: new Map(touching.map(({ commit }) => [commit, { commit, lines: 0 }])) };
  }
}

/** Most pieces of code from other files whose history is followed there, the longest first. */
const MAX_ORIGINS = 3;

async function linesBehind(session: Session, { place, commit, signal }: BehindQuestion): Promise<Behind[]> {
  const git = session.repository.git.withConfig(withoutLocalFilters(session.gitConfig));
  const runs = await blame(git, { commit, moves: true, signal, ...place });
  const behind = new Map<string, Behind>();
  for (const run of runs) {
    const known = behind.get(run.commit) ?? { commit: run.commit, lines: 0 };
    const from = run.path === place.path ? {} : { from: run.path };
    behind.set(run.commit, { ...known, ...from, lines: known.lines + run.count });
  }
  for (const range of rangesOf(runs, place, commit)) {
    const earlier = await lineLog(git, { ...range, signal }, MAX_COMMITS);
    for (const oid of earlier) if (!behind.has(oid)) behind.set(oid, { commit: oid, lines: 0 });
  }
  return [...behind.values()];
}

interface Range {
  commit: string;
  path: string;
  startLine: number;
  endLine: number;
}

/**
 * Ranges whose earlier changes are read: the place at the commit `tip`, or, in an edited file, its longest runs, each as of the commit that
 * wrote it; and the origins of lines that were moved here from other files.
 */
function rangesOf(
  runs: readonly BlamedLines[],
  { path, startLine, endLine, contents }: LinesPlace,
  tip: string,
): Range[] {
  const moved = runs.filter((run) => run.path !== path).sort((a, b) => b.count - a.count);
  const origins = moved.slice(0, MAX_ORIGINS).map(({ commit, path: from, origin, count }) => {
    return { commit, path: from, startLine: origin, endLine: origin + count - 1 };
  });
  if (contents === undefined) return [{ commit: tip, path, startLine, endLine }, ...origins];
  // Lines of an edited file have other numbers in HEAD, so each run is followed from its own commit.
  const longest = runs
    .filter((run) => run.path === path)
    .sort((a, b) => b.count - a.count)
    .slice(0, MAX_ORIGINS);
  const own = longest.map(({ commit, origin, count }) => ({
    commit,
    path,
    startLine: origin,
    endLine: origin + count - 1,
  }));
  return [...own, ...origins];
}

/** Sorts newest first, by the log; commits older than the log come last. */
function inOrder(behind: readonly Behind[], { commits }: ChangeLog): ReadonlyMap<string, Behind> {
  const ages = new Map(commits.map(({ commit, age }) => [commit, age]));
  const ageOf = ({ commit }: Behind) => ages.get(commit) ?? Number.MAX_SAFE_INTEGER;
  return new Map([...behind].sort((a, b) => ageOf(a) - ageOf(b)).map((one) => [one.commit, one]));
}

/** Characters of a message that are shown, unless it is requested whole. */
const MAX_BODY = 400;

async function reasonOf(
  { objects }: Session,
  { commit, lines, from }: Behind,
  merge: ChangeLog['commits'][number] | undefined,
  isFull: boolean | undefined,
): Promise<Reason> {
  const info = await readCommit(objects, commit);
  const { date = null, author = '', subject = '', body = '' } = info ?? {};
  const mentions = new Map<string, Mention>();
  for (const one of mentionsIn({ subject, body })) mentions.set(one.text, one);
  for (const one of merge === undefined ? [] : mentionsIn({ ...merge, body: '' })) mentions.set(one.text, one);
  const shown = isFull || body.length <= MAX_BODY ? body : `${body.slice(0, MAX_BODY).trimEnd()}${signs.cut}`;
  return {
    ...{ commit, date, author, subject, body: shown, lines },
    ...(from === undefined ? {} : { from }),
    ...(merge === undefined ? {} : { merge: { commit: merge.commit, subject: merge.subject } }),
    mentions: [...mentions.values()],
  };
}

export function whyText(document: WhyDocument, { pen, values }: { pen: Pen; values: WhyValues }): string {
  const { path, startLine, endLine, symbol, uncommitted, basis, commits } = document;
  const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  const name = symbol === null ? '' : `  ${pen.symbol(symbol)}`;
  const all = endLine - startLine + 1;
  const lines = [`${pen.path(path)}:${pen.line(range)}${name}`];
  if (basis === 'file')
    lines.push('this clone lacks old versions of the file, so these commits changed the file, not always these lines');
  if (uncommitted > 0) lines.push(`${uncommitted} of ${formatCount(all, 'line')} not committed yet`);
  for (const one of commits.list) lines.push(...reasonLines(one, { all, pen, isFull: values.full === true }));
  if (commits.list.length === 0) lines.push('no commit is known');
  lines.push(...more(commits.leftOut, pen));
  return `${lines.join('\n')}\n`;
}

function reasonLines(one: Reason, { all, pen, isFull }: { all: number; pen: Pen; isFull: boolean }): string[] {
  const { commit, date, author, subject, body, lines, from, merge, mentions } = one;
  const share = lines === 0 ? '' : ` ${pen.dim(`wrote ${lines} of ${formatCount(all, 'line')}`)}`;
  const head = `${pen.line(shortOid(commit))} ${dateText(date)} ${subject}`;
  const text = [`${head} ${pen.dim(`(${author})`)}${share}`];
  if (body !== '') text.push(...bodyLines(body, isFull).map((each) => `   ${quoted(each)}`));
  if (from !== undefined) text.push(`  the lines were in ${pen.path(from)}`);
  if (mentions.length > 0) text.push(`  names ${mentions.map(mentionText).join(', ')}`);
  if (merge !== undefined) text.push(pen.dim(`  merged by ${shortOid(merge.commit)} ${merge.subject}`));
  return text;
}

/** Lines of a message that are shown, unless it is requested whole. */
const SHOWN_LINES = 4;

function bodyLines(body: string, isFull: boolean): string[] {
  const lines = body.split(/\r?\n/).filter((line) => isFull || line.trim() !== '');
  return isFull || lines.length <= SHOWN_LINES ? lines : [...lines.slice(0, SHOWN_LINES), signs.cut];
}

const KINDS = { pull: 'pull request ', issue: 'issue ', unknown: '' } as const;
const mentionText = ({ kind, text }: Reason['mentions'][number]): string => `${KINDS[kind]}${text}`;
