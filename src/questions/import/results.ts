/**
 * `import` of test results: keeps which test files passed, keyed by everything that they reach at HEAD. Reports are untrusted: they are
 * read in one pass, entities of XML are not followed, and a test counts as passed only if each of its cases is known to be fine.
 */
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { emptyTree, signDigest, signsCommits } from '../../git/commits.js';
import { isRunnableTest } from '../../graph/query/node-place.js';
import {
  claimNow,
  EVIDENCE,
  type Outcome,
  type OutcomesBody,
  outcomeSets,
  outcomesDigest,
  packOutcomes,
} from '../../knowledge/codecs.js';
import { refOfSet } from '../../knowledge/kinds.js';
import type { Session } from '../../session/session.js';
import { withWriterLock } from '../../session/writer-lock.js';
import type { Asker } from '../asker.js';
import { openReach, readOutcomes } from '../graph/evidence.js';
import { prepareGraph } from '../graph/snapshot-graph.js';
import { checkedReport, isObject, type Json, linesOf, listOf, RunTree, tagsOf } from './coverage.js';
import type { ResultsImportReport } from './question.js';

type Verdict = 'passed' | 'failed' | 'skipped';

/** One case, or the whole, of a test. `names`: what may name its file, the surest first. */
export interface ReportedCase {
  names: readonly string[];
  verdict: Verdict;
  /** All tests of the folder are meant. */
  isFolder?: true;
}

export interface ResultsReport {
  format: ResultsImportReport['format'];
  cases: Iterable<ReportedCase>;
}

/** Cases of one report. */
const MAX_CASES = 2_000_000;
/** Milliseconds by which clocks of files may differ. */
const SLACK_MS = 1_000;

/** Throws BAD_ARGUMENT for another kind of file or without a work tree, LOCKED, GIT_FAILED and DISK. */
export async function importResults(at: Asker, request: { path: string; label: string }): Promise<ResultsImportReport> {
  const { session, signal } = at;
  const { label } = request;
  const file = checkedReport(at, request);
  const report = readResults(readFileSync(file, 'utf8'));
  const tree = await RunTree.at(at, { sources: [], format: report.format });
  const prepared = await prepareGraph(at, { ref: 'HEAD' });
  const isTest = (path: string) => {
    const found = prepared.graph.findFile(path);
    return found >= 0 && isRunnableTest(prepared.graph, found);
  };
  const { ended, unnamed, isBlind } = verdictsOf(report, tree, isTest);
  const reach = await openReach(session, prepared);
  const stale = await staleFiles(session, { file, tree });
  const counts = { passed: 0, failed: 0, different: 0, unsure: 0 };
  const outcomes: Outcome[] = [];
  for (const [path, isPassed] of ended) {
    signal.throwIfAborted();
    const found = await reach.of(path);
    if (found === null) continue;
    const reached = found.unsure === null ? await reach.pathsOf(path) : [...tree.paths(), ...stale];
    if (reached.some((each) => stale.has(each))) counts.different++;
    else if (!isPassed || !isBlind) {
      counts[isPassed ? 'passed' : 'failed']++;
      if (found.unsure !== null) counts.unsure++;
      outcomes.push({ path, key: found.key, isPassed });
    }
  }
  const { commit } = tree;
  const kept = await withWriterLock(session, () => keepOutcomes(session, outcomes, { label, commit }), { signal });
  if (kept.added > 0) log.event('import', `import: ${kept.added} outcomes of tests`, kept);
  const { format } = report;
  return { schemaVersion: 1, file, format, label, commit, ...counts, unnamed, ...kept };
}

/** How test files ended. `isBlind`: something failed and nobody knows in which file, so nothing is known to have passed. */
function verdictsOf(report: ResultsReport, tree: RunTree, isTest: (path: string) => boolean) {
  const verdicts = new Map<string, Verdict>();
  const named = new Map<string, readonly string[]>();
  let [cases, unnamed, isBlind] = [0, 0, false];
  const filesOf = ({ names, isFolder }: ReportedCase): readonly string[] => {
    if (isFolder) return tree.inFolder(names[0]).filter(isTest);
    const found = names.map((name) => tree.pathNamed(name)).find((path) => path !== null && isTest(path));
    return found === undefined || found === null ? [] : [found];
  };
  for (const each of report.cases) {
    if (++cases > MAX_CASES) throw new SocraticodeError('BAD_ARGUMENT', 'the report has more than two million cases');
    const key = each.names.join('\0');
    const files = named.get(key) ?? filesOf(each);
    named.set(key, files);
    if (files.length === 0) {
      unnamed++;
      isBlind ||= each.verdict === 'failed';
    }
    for (const path of files) {
      const before = verdicts.get(path);
      if (before === undefined || each.verdict === 'failed' || before === 'skipped') verdicts.set(path, each.verdict);
    }
  }
  const ended = [...verdicts].flatMap(([path, verdict]) =>
    verdict === 'skipped' ? [] : [[path, verdict === 'passed'] as const],
  );
  return { ended: ended.sort(([a], [b]) => (a < b ? -1 : 1)), unnamed, isBlind };
}

/** Files whose text is not that of HEAD, or was written after the report, so that the report is not about it. */
async function staleFiles(session: Session, { file, tree }: { file: string; tree: RunTree }): Promise<Set<string>> {
  const { workTree } = session.repository;
  const top = workTree ?? '.';
  const { list } = (await session.readChanges?.()) ?? { list: [] };
  const stale = new Set(list.map(({ path }) => path).filter((path) => resolve(top, path) !== file));
  const written = statSync(file).mtimeMs + SLACK_MS;
  for (const path of tree.paths())
    if ((statSync(join(top, path), { throwIfNoEntry: false })?.mtimeMs ?? 0) > written) stale.add(path);
  return stale;
}

/** Adds what is new, as the outcome of a run of this month. */
async function keepOutcomes(session: Session, outcomes: readonly Outcome[], run: { label: string; commit: string }) {
  const now = claimNow(session, { isAgent: false });
  const known = await readOutcomes(session, now.time, { label: run.label });
  const claim = { ...now, time: known.timeAfter(now.time) };
  const fresh = outcomes.filter((outcome) => !known.isOfThisMonth(outcome));
  const isGreen = ({ path, key }: Outcome) => known.of(path, key).passed !== null;
  const before = outcomes.filter(isGreen);
  const missed = before.filter(({ isPassed }) => !isPassed).length;
  const again = before.length - missed;
  const bodies = await signed(session, claim, packOutcomes(fresh), { ...run, again });
  if (bodies.length > 0) await known.add(claim, bodies);
  await forgetOld(session, claim.time);
  return { added: fresh.length, known: outcomes.length - fresh.length, again, missed };
}

/** Deletes the sets of months that are too old to be believed, so that outcomes take no more room than those of a few months. */
async function forgetOld({ repository: { git } }: Session, time: number): Promise<void> {
  const sets = outcomeSets(time).map((set) => refOfSet(EVIDENCE.name, set, true));
  const oldest = sets[sets.length - 1];
  const pattern = `${oldest.slice(0, -MONTH_LENGTH)}*`;
  const refs = (await git.text(['for-each-ref', '--format=%(refname)', pattern])).split('\n');
  for (const ref of refs) if (MONTH.test(ref) && ref < oldest) await git.run(['update-ref', '--no-deref', '-d', ref]);
}

const MONTH = /-\d{4}-\d{2}$/;
const MONTH_LENGTH = 'YYYY-MM'.length;

async function signed(
  session: Session,
  claim: ReturnType<typeof claimNow>,
  packs: readonly Outcome[][],
  { label, commit, again }: { label: string; commit: string; again: number },
): Promise<OutcomesBody[]> {
  const { repository, gitConfig } = session;
  // Runs that added nothing are counted too, so that the rate of misses can be told.
  const all = packs.length === 0 && again > 0 ? [[]] : packs;
  const bodies = all.map(
    (outcomes, i): OutcomesBody => ({ label, commit, outcomes, again: i === 0 ? again : 0, signature: '' }),
  );
  if (!signsCommits(gitConfig)) return bodies;
  const sign = (body: OutcomesBody) =>
    signDigest(
      { git: repository.git, gitConfig },
      outcomesDigest({ ...claim, body }),
      emptyTree(repository.objectFormat),
    );
  return Promise.all(bodies.map(async (body) => ({ ...body, signature: await sign(body) })));
}

// Readers of reports.

/** Throws BAD_ARGUMENT for a file of no known format. */
export function readResults(text: string): ResultsReport {
  const start = text.slice(0, 4_096).trimStart();
  if (start.startsWith('<')) return readJunit(text);
  if (!start.startsWith('{')) return refuse('it is neither JUnit XML nor JSON of a test runner');
  const whole = parsed(text);
  if (isObject(whole)) {
    if (Array.isArray(whole.testResults)) return { format: 'jest', cases: jestCases(whole.testResults) };
    if (Array.isArray(whole.tests) && isObject(whole.stats)) return { format: 'mocha', cases: mochaCases(whole) };
    if (Array.isArray(whole.tests)) return { format: 'pytest', cases: pytestCases(whole) };
  }
  const first = parsed(start.split('\n', 1)[0]);
  if (isObject(first)) {
    if ('Action' in first) return { format: 'go-test', cases: goCases(text) };
    if ('$report_type' in first) return { format: 'pytest', cases: pytestLines(text) };
    if (typeof first.type === 'string' && first.type.startsWith('test:'))
      return { format: 'node', cases: nodeCases(text) };
  }
  return refuse('its JSON is of no known test runner');
}

/** Of a run that was killed, the cases that are missing may have failed. */
const CUT = 'it is cut short';

function refuse(why: string): never {
  throw new SocraticodeError('BAD_ARGUMENT', `the test results cannot be read: ${why}`, {
    hint: 'JUnit XML, JSON of jest, vitest or mocha, go test -json, pytest-json-report, or events of node:test, one a line.',
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const textOf = (value: unknown): string[] => (typeof value === 'string' && value !== '' ? [value] : []);
const verdictOf = (status: unknown): Verdict =>
  status === 'passed' || status === 'pass' || status === 'xfailed'
    ? 'passed'
    : status === 'skipped' || status === 'skip' || status === 'pending' || status === 'todo' || status === 'disabled'
      ? 'skipped'
      : 'failed';

function* jestCases(results: readonly unknown[]): Generator<ReportedCase> {
  for (const result of results) {
    if (!isObject(result)) continue;
    const names = textOf(result.name);
    const inner = listOf(result.assertionResults).map((each) => (isObject(each) ? verdictOf(each.status) : 'failed'));
    if (result.status !== 'passed') yield { names, verdict: verdictOf(result.status) };
    for (const verdict of inner) yield { names, verdict };
  }
}

function* mochaCases({ tests, failures, pending, stats }: Json): Generator<ReportedCase> {
  const named = (value: unknown) => (isObject(value) ? textOf(value.file) : []);
  const skipped = new Set(listOf(pending).map((each) => (isObject(each) ? `${each.file} ${each.fullTitle}` : '')));
  for (const each of listOf(tests)) {
    if (!isObject(each)) continue;
    const isSkipped = skipped.has(`${each.file} ${each.fullTitle}`);
    const isFine = isObject(each.err) && Object.keys(each.err).length === 0;
    yield { names: named(each), verdict: isSkipped ? 'skipped' : isFine ? 'passed' : 'failed' };
  }
  for (const each of listOf(failures)) yield { names: named(each), verdict: 'failed' };
  if (isObject(stats) && Number(stats.failures) > listOf(failures).length) yield { names: [], verdict: 'failed' };
}

function* pytestCases({ tests, collectors }: Json): Generator<ReportedCase> {
  // Of collecting files, only failures tell how a test ended.
  const failed = listOf(collectors).filter((each) => isObject(each) && each.outcome !== 'passed');
  for (const each of [...listOf(tests), ...failed])
    if (isObject(each)) yield { names: textOf(each.nodeid), verdict: verdictOf(each.outcome) };
}

function* pytestLines(text: string): Generator<ReportedCase> {
  let isWhole = false;
  for (const line of linesOf(text)) {
    const each = parsed(line);
    if (!isObject(each)) continue;
    isWhole ||= each.$report_type === 'SessionFinish';
    if (typeof each.nodeid !== 'string') continue;
    const isCase = each.$report_type === 'TestReport';
    if (!isCase && each.outcome !== 'failed') continue;
    // Setting up and cleaning up tell of failures alone.
    const isCall = each.when === 'call' || each.outcome !== 'passed';
    if (isCall) yield { names: textOf(each.nodeid), verdict: verdictOf(each.outcome) };
  }
  if (!isWhole) refuse(CUT);
}

function* goCases(text: string): Generator<ReportedCase> {
  for (const line of linesOf(text)) {
    const each = parsed(line);
    if (!isObject(each) || typeof each.Package !== 'string' || each.Test !== undefined) continue;
    const { Action: action } = each;
    if (action === 'pass' || action === 'fail' || action === 'skip')
      yield { names: [each.Package], verdict: verdictOf(action), isFolder: true };
  }
}

const NODE_VERDICTS: ReadonlyMap<string, Verdict> = new Map([
  ['test:pass', 'passed'],
  ['test:fail', 'failed'],
]);

function* nodeCases(text: string): Generator<ReportedCase> {
  let isWhole = false;
  for (const line of linesOf(text)) {
    const each = parsed(line);
    if (!isObject(each) || !isObject(each.data)) continue;
    const { file, skip, todo, message } = each.data;
    // Counts of the whole run come last; a summary of one file names it.
    isWhole ||= each.type === 'test:summary' && !file;
    isWhole ||= each.type === 'test:diagnostic' && /^fail \d+$/.test(`${message}`);
    const verdict = NODE_VERDICTS.get(`${each.type}`);
    const isSkipped = [skip, todo].some((reason) => reason !== undefined && reason !== false);
    if (verdict !== undefined) yield { names: textOf(file), verdict: isSkipped ? 'skipped' : verdict };
  }
  if (!isWhole) refuse(CUT);
}

const SUITES: ReadonlySet<string> = new Set(['testsuite', 'testsuites']);
const FAILURES: ReadonlySet<string> = new Set(['failure', 'error']);

function readJunit(text: string): ResultsReport {
  if (text.includes('<!ENTITY')) return refuse('it declares entities');
  for (const { name } of tagsOf(text)) {
    if (!SUITES.has(name)) break;
    const isWhole = text.trimEnd().endsWith(`</${name}>`) || /\/>$/.test(text.trimEnd().slice(-2));
    return isWhole ? { format: 'junit', cases: junitCases(text) } : refuse(CUT);
  }
  return refuse('its XML is no JUnit report');
}

type Attributes = (key: string) => string[];

/** Names of the file of a case. pytest names a file that it could not load in place of a test. */
const namesOfCase = (of: Attributes, suite: readonly string[]): string[] => [
  ...[...of('file'), ...of('classname'), ...suite],
  ...(of('classname').length === 0 ? of('name') : []),
];

const countOf = (of: Attributes, key: string): number => Number(of(key)[0] ?? 0);

function* junitCases(text: string): Generator<ReportedCase> {
  let suite: string[] = [];
  let current: { names: readonly string[]; verdict: Verdict } | null = null;
  const all = new FailureCount();
  let own = new FailureCount();
  for (const { name, attributes } of tagsOf(text)) {
    const of: Attributes = (key) => textOf(attributes.get(key));
    const isSuite = SUITES.has(name);
    if (current !== null && (isSuite || name === 'testcase')) yield current;
    if (isSuite) {
      current = null;
      suite = [...of('file'), ...of('filepath'), ...of('name')];
      all.isHidden ||= own.claimsMore;
      own = new FailureCount(countOf(of, 'failures') + countOf(of, 'errors'));
      all.claimed = Math.max(all.claimed, own.claimed);
    } else if (name === 'testcase') {
      own.cases++;
      current = { names: namesOfCase(of, suite), verdict: of('status').includes('failed') ? 'failed' : 'passed' };
    } else if (current !== null) {
      current.verdict = verdictAfter(current.verdict, name);
      if (!FAILURES.has(name)) continue;
      own.failed++;
      all.failed++;
    }
  }
  if (current !== null) yield current;
  // A failure that a suite counts and no case shows is in a file that nobody knows. Suites around suites count the same ones again.
  if (all.isHidden || own.claimsMore || all.failed < all.claimed) yield { names: [], verdict: 'failed' };
}

/** Failures and errors that a suite counts, and those that its own cases show. */
class FailureCount {
  cases = 0;
  failed = 0;
  isHidden = false;

  constructor(public claimed = 0) {}

  /** Does a suite with cases count failures that none of them shows? */
  get claimsMore(): boolean {
    return this.cases > 0 && this.failed < this.claimed;
  }
}

function verdictAfter(before: Verdict, element: string): Verdict {
  if (FAILURES.has(element)) return 'failed';
  return element === 'skipped' && before === 'passed' ? 'skipped' : before;
}
