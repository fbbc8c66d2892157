/**
 * Answers `tests`. For a change, its impact gives the tests in two tiers, with those that change along with it. Since a green run, every test
 * is to run that no known run has passed with all that it reaches as it is, and a sample of the others. Both answers have the commands.
 */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import type { Graph } from '../../graph/graph.js';
import { cut, isRunnableTest } from '../../graph/query/node-place.js';
import { type Project, testCommands } from '../../languages/test-commands.js';
import { commandText } from '../../params/param.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import { type Believed, type KnownOutcome, openReach, readOutcomes, type TestRun } from '../graph/evidence.js';
import { LISTED } from '../graph/graph-question.js';
import { testReason } from '../graph/graph-text.js';
import { answerImpact } from '../graph/impact/answer.js';
import type { GraphImpactResponse } from '../graph/impact/question.js';
import type { GraphCandidates, TestToRun } from '../graph/output.js';
import { type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import type { Pen } from '../pen.js';
import { MAX_GRAPH_LIMIT } from '../shared-params.js';
import { asides, type Block, blockLines, count, type Item, sectionOf } from '../view.js';
import type { Green, ListedTest, TestsDocument, TestsValues } from './question.js';

/** Tests that are looked at before lists are cut: other evidence may put a later one in front. */
const MOST_TESTS = 2_000;

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerTests(at: Asker, values: TestsValues): Promise<TestsDocument | GraphCandidates> {
  const { limit = values.paths ? MAX_GRAPH_LIMIT : LISTED.tests } = values;
  if (values.sinceGreen) return sinceGreen(at, { ...values, limit });
  if (values.label !== undefined || values.by !== undefined || values.signed)
    throw new SocraticodeError('BAD_ARGUMENT', 'which runs to believe matters only where runs excuse a test', {
      hint: `${commandText('tests', { sinceGreen: true })} asks for those.`,
    });
  const impact = await answerImpact(at, {
    ...values,
    minConfidence: 0,
    coupled: true,
    limit: MOST_TESTS,
    linked: false,
    fleet: false,
  });
  if ('candidates' in impact) return impact;
  const { changes, parseErrors } = impact;
  const ref = changes?.to?.ref ?? values.ref;
  const prepared = await prepareGraph(at, { ref, committed: values.committed });
  const { will, may } = withCoupled(prepared.graph, impact);
  const listed = cut(will, limit);
  return {
    ...prepared.header,
    ...(parseErrors === undefined ? {} : { parseErrors }),
    target: values.target ?? '',
    will: listed,
    may: cut(may, limit),
    commands: await testCommands(runnable(prepared.graph, listed.list), projectOf(prepared)),
    ...(impact.risk.someTest === undefined ? {} : { someTest: impact.risk.someTest }),
    unresolved: impact.possible,
  };
}

async function sinceGreen(
  at: Asker,
  { target, staged, ref, committed, label, by, signed, limit }: TestsValues & { limit: number },
): Promise<TestsDocument> {
  if (target !== undefined || staged)
    throw new SocraticodeError('BAD_ARGUMENT', 'a run is of all files as they are, and a change excludes it', {
      hint: `Name what is checked out with ref, or ask ${commandText('tests', {})} for the tests of a change.`,
    });
  const believed = { label, by, signed };
  const { prepared, green, will, may } = await testsSinceGreen(at, { ref, committed, believed, limit });
  const commands = await testCommands(runnable(prepared.graph, will.list), projectOf(prepared));
  return { ...prepared.header, target: '', will, may, commands, green, unresolved: 0 };
}

/** One in so many tests that are known to pass runs anyway, so that the rate of misses is known. */
const SAMPLE = 20;

/** Is the test in the sample of this commit? Each commit has another one, and everybody computes the same. */
function isSampled(commit: string, path: string): boolean {
  return createHash('sha256').update(`${commit}\0${path}`).digest().readUInt32BE() % SAMPLE === 0;
}

interface SinceGreen {
  ref?: string;
  committed?: boolean;
  believed: Believed;
  limit: number;
}

/** Tests to run, and what is known of the others. Throws UNKNOWN_REF. */
async function testsSinceGreen(at: Asker, { ref, committed, believed, limit }: SinceGreen) {
  const { session, signal } = at;
  const prepared = await prepareGraph(at, { ref, committed });
  const { graph, header } = prepared;
  const [reach, known] = await Promise.all([
    openReach(session, prepared),
    readOutcomes(session, Math.floor(Date.now() / 1_000), believed),
  ]);
  const { again, missed } = known;
  const green: Green = { files: 0, asTheyAre: 0, sampled: 0, unsure: 0, again, missed, runs: [] };
  const toRun: ListedTest[] = [];
  for (const [file, { path }] of graph.tables.files.entries()) {
    const isTest = isRunnableTest(graph, file) && reach.isCode(path);
    if (!isTest && !known.tests.has(path)) continue;
    signal.throwIfAborted();
    const found = await reach.of(path);
    if (found === null) continue;
    green.files++;
    const outcome = known.of(path, found.key);
    const reason = reasonToRun(outcome, { ...found, isNew: !known.tests.has(path) });
    if (reason !== null) toRun.push({ path, symbol: null, hops: 0, line: 1, ...reason });
    else if (outcome.passed !== null && isSampled(header.commit ?? '', path)) {
      const why = `passed as it is, in ${nameOf(outcome.passed)}; runs as a sample`;
      toRun.push({ path, symbol: null, hops: 0, line: 1, run: 'sample', why });
    } else if (outcome.passed !== null) countRun(green, outcome.passed);
  }
  const ofReason = (reason: ListedTest['run']) => toRun.filter(({ run }) => run === reason).length;
  Object.assign(green, { sampled: ofReason('sample'), unsure: ofReason('unsure') });
  green.runs.sort((a, b) => b.tests - a.tests);
  return { prepared, green, will: cut(toRun, limit), may: { list: [], leftOut: 0 } };
}

/** Null for a test that passed with everything that it reaches as it is. */
function reasonToRun(
  { passed, failed }: KnownOutcome,
  { unsure, isNew }: { unsure: string | null; isNew: boolean },
): Pick<ListedTest, 'run' | 'why'> | null {
  if (failed !== null) {
    const both = passed === null ? '' : '; it passed as well';
    return { run: 'failed', why: `failed as it is, in ${nameOf(failed)}${both}` };
  }
  if (passed !== null) return null;
  if (unsure !== null) return { run: 'unsure', why: unsure };
  return isNew
    ? { run: 'new', why: 'no run is known' }
    : { run: 'changed', why: 'something that it reaches has changed' };
}

function countRun(green: Green, { author, label, isSigned: signed }: TestRun): void {
  green.asTheyAre++;
  const known = green.runs.find((run) => run.author === author && run.label === label);
  if (known === undefined) green.runs.push({ author, label, signed, tests: 1 });
  else known.tests++;
}

const nameOf = ({ label, commit }: TestRun): string => `${label} of ${commit.slice(0, 7)}`;

/** Tests that usually change with the changed files are among those that may run them. */
function withCoupled(graph: Graph, { tests, mayRun, changes, coupled }: GraphImpactResponse) {
  const log = (changes?.coupled ?? coupled)?.list ?? [];
  const shares = new Map(log.map(({ path, together, of }) => [path, { together, of }]));
  const described = (test: TestToRun): ListedTest => {
    const along = shares.get(test.path);
    const why = along === undefined ? testReason(test) : `${testReason(test)}; ${coupledText(along)}`;
    return { ...(test as Omit<ListedTest, 'why'>), why, ...(along === undefined ? {} : { coupled: along }) };
  };
  const will = tests.list.map(described);
  const known = new Set([...tests.list, ...(mayRun?.list ?? [])].map(({ path }) => path));
  const further = log.filter(({ path }) => !known.has(path) && isTestFile(graph, path));
  const may = [
    ...(mayRun?.list ?? []).map(described),
    ...further.map(({ path, together, of }): ListedTest => {
      const coupledTo = { together, of };
      return {
        path,
        symbol: null,
        hops: 0,
        line: 1,
        reason: 'coupled',
        why: coupledText(coupledTo),
        coupled: coupledTo,
      };
    }),
  ];
  // Tests that changed along in the past come before those that only import; the order stays otherwise.
  const rank = ({ reason, coupled: along }: ListedTest) =>
    reason === 'reaches' || reason === 'calls' ? 0 : along === undefined ? 2 : 1;
  return {
    will,
    may: may
      .map((test, i) => ({ test, i }))
      .sort((a, b) => rank(a.test) - rank(b.test) || a.i - b.i)
      .map(({ test }) => test),
  };
}

const coupledText = ({ together, of }: { together: number; of: number }): string =>
  `changed along in ${together} of ${formatCount(of, 'commit')}`;

function isTestFile(graph: Graph, path: string): boolean {
  const file = graph.findFile(path);
  return file >= 0 && isRunnableTest(graph, file);
}

function runnable(graph: Graph, tests: readonly ListedTest[]) {
  return tests.map(({ path, symbol }) => {
    const file = graph.findFile(path);
    return { path, symbol, language: file < 0 ? '' : graph.tables.files[file].language };
  });
}

/** Largest manifest that is read. */
const MOST_BYTES = 1 << 20;

function projectOf({ graph, objects }: GraphAndHeader): Project {
  return {
    has: (path) => graph.findFile(path) >= 0,
    read: async (path) => {
      const file = graph.findFile(path);
      if (file < 0) return null;
      const { oid } = graph.tables.files[file];
      const info = await objects.info(oid);
      if (info?.type !== 'blob' || info.size > MOST_BYTES) return null;
      return (await objects.read(oid))?.content.toString('utf8') ?? null;
    },
  };
}

export function testsText(document: TestsDocument, { pen, values }: { pen: Pen; values: TestsValues }): string {
  const { will, may, commands, someTest, green, unresolved } = document;
  if (values.paths) return pathsText(document);
  const missed = `${formatCount(unresolved, 'use')} of the same name could not be resolved: tests behind them may be missing`;
  const blocks: Block[] = [
    ...(green === undefined
      ? [{ say: [foundLine(count(will, pen), count(may, pen))] }]
      : greenBlocks({ green, toRun: count(will, pen) })),
    ...(someTest === undefined ? [] : [{ say: [`some test ran it, ${someTest}`] }]),
    sectionOf(green === undefined ? 'will run it' : 'to run', will, whyItem),
    sectionOf('may run it', may, whyItem),
    sectionOf('run', { list: commands, leftOut: 0 }, ({ command }) => [{ code: command }]),
    ...asides(unresolved === 0 ? [] : [missed], true),
  ];
  return `${blockLines(blocks, pen).join('\n')}\n`;
}

const whyItem = ({ path, line, symbol, why }: ListedTest): Item => [{ path, line }, { symbol }, { aside: why }];

function foundLine(will: number, may: number): string {
  if (will + may === 0) return 'no test file is known to run it';
  return `${formatCount(will, 'test file')} will run it, ${formatCount(may, 'other')} may`;
}

function greenBlocks({ green, toRun }: { green: Green; toRun: number }): Block[] {
  const { files, asTheyAre, sampled, again, missed, runs } = green;
  const sample = sampled === 0 ? '' : `, ${groupDigits(sampled)} of them as a sample`;
  const passed = `${groupDigits(asTheyAre)} of ${formatCount(files, 'test file')} passed as they are`;
  const failed = `of ${formatCount(again + missed, 'run')} of tests that were known to pass as they are, ${groupDigits(missed)} failed`;
  const by = runs.map(({ author, label, signed, tests }) => {
    return `${label} by ${author}${signed ? ', signed' : ''}: ${groupDigits(tests)}`;
  });
  return [
    { say: [`${passed}; ${groupDigits(toRun)} to run${sample}`] },
    ...asides([...by, ...(again + missed > 0 ? [failed] : [])]),
  ];
}

/** Paths that a runner can be given. One with a line break would be two, and is left out; one with a dash in front would be an option. */
function pathsText({ will, may }: TestsDocument): string {
  const paths = new Set([...will.list, ...may.list].map(({ path }) => path).filter((path) => !/[\r\n]/.test(path)));
  return [...paths].map((path) => `${path.startsWith('-') ? './' : ''}${path}\n`).join('');
}
