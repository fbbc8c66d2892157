/** Answers `tests` from the impact of the change: tests in two tiers, those that change along with it, and commands. */
import type { Graph } from '../../graph/graph.js';
import { cut, isRunnableTest } from '../../graph/query/node-place.js';
import { type Project, testCommands } from '../../languages/test-commands.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import { LISTED } from '../graph/graph-question.js';
import { count, inside, rows, section, testReason } from '../graph/graph-text.js';
import { answerImpact } from '../graph/impact/answer.js';
import type { GraphImpactResponse } from '../graph/impact/question.js';
import type { GraphCandidates, TestToRun } from '../graph/output.js';
import { type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import type { Pen } from '../pen.js';
import type { ListedTest, TestsDocument, TestsValues } from './question.js';

/** Tests that are looked at before lists are cut: other evidence may put a later one in front. */
const MOST_TESTS = 2_000;

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function answerTests(at: Asker, values: TestsValues): Promise<TestsDocument | GraphCandidates> {
  const { limit = LISTED.tests } = values;
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

export function testsText(document: TestsDocument, { pen }: { pen: Pen }): string {
  const { will, may, commands, someTest, unresolved } = document;
  const lines = [
    `${formatCount(count(will, pen), 'test file')} will run it, ${formatCount(count(may, pen), 'other')} may`,
  ];
  if (someTest !== undefined) lines.push(`some test ran it, ${someTest}`);
  lines.push(...section('will run it', testLines(will, pen)));
  lines.push(...section('may run it', testLines(may, pen)));
  lines.push(
    ...section(
      'run',
      commands.map(({ command }) => `  ${command}`),
    ),
  );
  if (unresolved > 0)
    lines.push(
      '',
      pen.dim(
        `${formatCount(unresolved, 'use')} of the same name could not be resolved: tests behind them may be missing`,
      ),
    );
  return `${lines.join('\n')}\n`;
}

const testLines = (tests: TestsDocument['will'], pen: Pen): string[] =>
  rows(tests, ({ path, line, symbol, why }) => `  ${inside(path, line, symbol, pen)}  ${pen.dim(why)}`, pen);
