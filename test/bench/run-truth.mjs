// Compares the graph with a run of the repository's own tests: `npm run bench -- run-truth DIR [--trace FILE] [--json] [--misses N]`.
// Needs `npm run build`. Tests of Python are run here with pytest and `run-truth/trace_calls.py`; `--trace` takes a trace that
// was made before, as those of `run-truth/trace-calls.cjs` (scripts), `run-truth/trace_calls.rb` (Ruby) and
// `run-truth/trace_calls.php` (PHP) are. The tests that ran a definition are compared with "tests to run": for scripts, run each test
// file alone, with its path as TRACE_TEST.
//
// A call of the trace is a line and the definition that ran. It counts where the line names that definition: a use is
// found if an edge leads from the line to it. A use is judged if a call of its name ran at its line: it is right if it leads to
// a definition that ran there, or to one that this overrides. Where a double of a test ran in code that is no test, or a
// variable holds what is from outside, nothing is judged.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const CODE = '../../dist';
const { linked } = await import('./run-truth/linked.mjs');
const { CONFIDENCE, EVIDENCE_TIERS } = await import(`${CODE}/graph/tables.js`);
const { likelihoodCells, possibleUses } = await import(`${CODE}/graph/query/possible-uses.js`);
const { overriddenBy } = await import(`${CODE}/graph/query/uses.js`);
const { testsToRun } = await import(`${CODE}/graph/query/tests-to-run.js`);
const { TEST_DEPTH, walkUsers } = await import(`${CODE}/graph/query/users.js`);
const { overloadsOf } = await import(`${CODE}/graph/query/overloads.js`);

const CONSTRUCTORS = new Set(['__init__', '__new__', 'constructor', 'initialize', '__construct', '__call__']);

function traced(dir) {
  const out = join(mkdtempSync(join(tmpdir(), 'socraticode-run-truth-')), 'trace.json');
  const tracer = fileURLToPath(new URL('./run-truth', import.meta.url));
  const env = {
    ...process.env,
    TRACE_ROOT: dir,
    TRACE_OUT: out,
    PYTHONPATH: [tracer, join(dir, 'src'), dir].join(':'),
  };
  const args = ['-m', 'pytest', '-q', '-p', 'trace_calls', '-p', 'no:cacheprovider'];
  spawnSync('python3', args, { cwd: dir, env, stdio: ['ignore', process.stderr, process.stderr] });
  if (!existsSync(out)) throw new Error('the tests did not run; trace them by hand, see the head of this file');
  return JSON.parse(readFileSync(out, 'utf8'));
}

/** Definition that ran, by the place of its code: the innermost of that name around its first line. */
function definitionsOf(graph) {
  const known = new Map();
  return ([path, line, name]) => {
    const key = `${path}:${line}:${name}`;
    if (!known.has(key)) {
      const file = graph.findFile(path);
      let best = -1;
      if (file >= 0)
        for (let node = graph.fileNode(file) + 1; node < graph.tables.nodeBase[file + 1]; node++)
          if (graph.name(node) === name && graph.startLine(node) <= line + 20 && line <= graph.endLine(node))
            if (best < 0 || Math.abs(graph.startLine(node) - line) < Math.abs(graph.startLine(best) - line))
              best = node;
      known.set(key, best);
    }
    return known.get(key);
  };
}

const HOLDERS = new Set(['variable', 'constant']);
const USES = new Set(['call', 'new', 'read', 'value', 'decorator']);

/** Uses by file and line: of each edge its name, target, tier. Edges of several lines stand in each. */
function usesByLine(graph) {
  const found = new Map();
  for (let edge = 0; edge < graph.edgeCount; edge++) {
    const { from, to, kind, tier, startLine, endLine, name, receiver } = graph.edge(edge);
    if (!USES.has(kind)) continue;
    const path = graph.path(from);
    for (let line = startLine; line <= Math.min(endLine, startLine + 30); line++) {
      const key = `${path}:${line}`;
      const use = { edge, from, to, kind, tier, name, receiver, line: startLine };
      if (found.has(key)) found.get(key).push(use);
      else found.set(key, [use]);
    }
  }
  return found;
}

/** What ran at each line: definitions of the repository by name, and names from outside. */
function ranByLine(graph, trace) {
  const definitionOf = definitionsOf(graph);
  const found = new Map();
  const at = (path, line) => {
    const key = `${path}:${line}`;
    if (!found.has(key)) found.set(key, { own: new Map(), names: new Set(), files: new Set() });
    return found.get(key);
  };
  let unknown = 0;
  for (const [path, line, ...target] of trace.calls) {
    const node = definitionOf(target);
    const here = at(path, line);
    here.names.add(target[2]);
    here.files.add(target[0]);
    if (node < 0) unknown++;
    else here.own.set(node, target[2]);
  }
  for (const [path, line, name] of trace.outside) at(path, line).names.add(name);
  return { ran: found, unknown };
}

const CERTAIN = new Set(EVIDENCE_TIERS.filter((tier) => CONFIDENCE[tier] > 0 && tier !== 'likely'));

const TEST = /(?:^|\/)(?:tests?|spec|__tests(?:__)?)\/|(?:^|\/)(?:test_[^/]*|conftest)\.py$|[._](?:test|spec)\.\w+$/;
/** Did code that is no test run something of a test: a double, or a callback? */
const isDouble = (graph, place, node) =>
  TEST.test(graph.path(node)) && !TEST.test(place.slice(0, place.lastIndexOf(':')));

/** Is `node` the definition that a use of `to` runs: itself, one that overrides it, its constructor? */
function isRunBy(graph, to, node) {
  if (to === node || overloadsOf(graph, to).includes(node)) return true;
  if (CONSTRUCTORS.has(graph.name(node)) || graph.kind(node) === 'constructor')
    return graph.container(node) === to || ancestorsOf(graph, to).has(graph.container(node));
  return overriddenBy(graph, node).includes(to);
}

const ancestors = new Map();
function ancestorsOf(graph, type) {
  if (ancestors.has(type)) return ancestors.get(type);
  const found = new Set();
  ancestors.set(type, found);
  const [start, end] = graph.edgeRange(type);
  for (let edge = start; edge < end; edge++) {
    const to = graph.target(edge);
    if (to < 0 || !['extends', 'implements'].includes(graph.edgeKind(edge))) continue;
    found.add(to);
    for (const further of ancestorsOf(graph, to)) found.add(further);
  }
  return found;
}

/** Has a definition a proven or likely use of any kind but an import, also as a value that is handed on? */
const isKnownUsed = (graph, node) =>
  [node, ...overloadsOf(graph, node)].some((each) =>
    [...graph.incoming(each)].some((edge) => USES.has(graph.edgeKind(edge)) || graph.edgeKind(edge) === 'request'),
  );

function judge(graph, trace) {
  const uses = usesByLine(graph);
  const { ran, unknown } = ranByLine(graph, trace);
  const recall = { certain: 0, likely: 0, possible: 0, missed: 0, unnamed: 0 };
  const judged = { certain: [0, 0], likely: [0, 0] };
  const byTier = {};
  const symbols = new Map();
  const misses = [];
  const wrong = [];
  const seen = new Set();
  for (const [place, { own, names, files }] of ran) {
    const here = uses.get(place) ?? [];
    for (const [node, name] of own) {
      if (isDouble(graph, place, node)) continue;
      const isMade = CONSTRUCTORS.has(name);
      const named = here.filter((use) => (isMade ? use.to >= 0 && isRunBy(graph, use.to, node) : use.name === name));
      if (named.length === 0) {
        recall.unnamed++;
        continue;
      }
      const to = named.filter((use) => use.to >= 0 && isRunBy(graph, use.to, node));
      const level = to.some(({ tier }) => CERTAIN.has(tier))
        ? 'certain'
        : to.length > 0
          ? 'likely'
          : named.some(({ tier }) => tier === 'unresolved' || tier === 'ambiguous')
            ? 'possible'
            : 'missed';
      recall[level]++;
      const levels = symbols.get(node) ?? new Set();
      symbols.set(node, levels.add(level));
      if (level !== 'certain' && level !== 'likely')
        misses.push({ place, level, to: graph.qualifiedName(node), uses: named });
    }
    for (const use of here) {
      if (use.kind !== 'call' || seen.has(use.edge) || use.to < 0 || !names.has(use.name)) continue;
      seen.add(use.edge);
      // A file stands for an expression that it exports.
      const isRight = graph.isFile(use.to)
        ? files.has(graph.path(use.to))
        : [...own.keys()].some((node) => isRunBy(graph, use.to, node));
      if (!isRight && [...own.keys()].some((node) => isDouble(graph, place, node))) continue;
      // `const expect = chai.expect`: the use is one of the variable, and what it holds is from outside.
      if (!isRight && own.size === 0 && HOLDERS.has(graph.kind(use.to))) continue;
      const counts = judged[CERTAIN.has(use.tier) ? 'certain' : 'likely'];
      counts[isRight ? 0 : 1]++;
      byTier[use.tier] ??= [0, 0];
      byTier[use.tier][isRight ? 0 : 1]++;
      if (!isRight)
        wrong.push({
          place,
          tier: use.tier,
          name: use.name,
          receiver: use.receiver,
          to: `${graph.path(use.to)}:${graph.qualifiedName(use.to)}`,
        });
    }
  }
  const lost = [...symbols].filter(([, levels]) => !levels.has('certain') && !levels.has('likely'));
  const unused = lost.filter(([node]) => !isKnownUsed(graph, node));
  return {
    recall,
    judged,
    byTier,
    symbols: symbols.size,
    lost: lost.map(([node]) => graph.qualifiedName(node)),
    unused: unused.map(([node]) => graph.qualifiedName(node)),
    unknown,
    misses,
    wrong,
  };
}

/** Text of a line that calls a function by a name which the program puts together. */
const COMPUTED = /\bgetattr\(|\b(?:public_|__)?send\(|\bmethod\(|->\{|\[\$this,/;

/**
 * Possible uses of each definition at lines that ran a function of that name: by row and column of the table of likelihoods, how many of
 * them ran the definition. And functions that a line calls by a part of their names: how many of those that the graph lists ran there.
 */
function judgePossible(graph, trace, dir) {
  const { ran } = ranByLine(graph, trace);
  const cells = {};
  const asked = new Set();
  for (const { own } of ran.values()) for (const [node] of own) asked.add(graph.name(node));
  for (const name of asked)
    for (const node of graph.nodesNamed(name)) {
      const cellAt = likelihoodCells(graph, node);
      for (const edge of possibleUses(graph, node)) {
        const { from, kind, startLine } = graph.edge(edge);
        const place = `${graph.path(from)}:${startLine}`;
        const here = ran.get(place);
        if (kind !== 'call' || !here?.names.has(name)) continue;
        const isRight = [...here.own.keys()].some((each) => isRunBy(graph, node, each));
        if (!isRight && [...here.own.keys()].some((each) => isDouble(graph, place, each))) continue;
        const key = cellAt(edge).join(' ');
        cells[key] ??= [0, 0];
        cells[key][isRight ? 0 : 1]++;
      }
    }
  const lines = new Map();
  const parts = { lines: 0, right: 0, listed: 0 };
  for (const [place, uses] of usesByLine(graph)) {
    const here = ran.get(place);
    const listed = uses.filter(({ tier, to, line }) => tier === 'likely' && to >= 0 && place.endsWith(`:${line}`));
    if (here === undefined || listed.length < 2) continue;
    const [path, line] = [place.slice(0, place.lastIndexOf(':')), Number(place.slice(place.lastIndexOf(':') + 1))];
    if (!lines.has(path)) lines.set(path, readFileSync(join(dir, path), 'utf8').split('\n'));
    if (!COMPUTED.test(lines.get(path)[line - 1] ?? '')) continue;
    parts.lines++;
    parts.listed += listed.length;
    parts.right += listed.filter(({ to }) => [...here.own.keys()].some((each) => isRunBy(graph, to, each))).length;
  }
  return { cells, parts };
}

/** Compares tests to run with the tests that ran each definition: of both tiers, share found and share right. */
function judgeTests(graph, trace) {
  const definitionOf = definitionsOf(graph);
  const tests = Object.keys(trace.tests).filter((path) => graph.findFile(path) >= 0);
  const ranBy = new Map();
  for (const path of tests)
    for (const target of trace.tests[path]) {
      const node = TEST.test(target[0]) ? -1 : definitionOf(target);
      if (node >= 0) ranBy.set(node, (ranBy.get(node) ?? new Set()).add(path));
    }
  const known = new Set(tests);
  const sum = {
    definitions: ranBy.size,
    tests: tests.length,
    ran: 0,
    will: [0, 0],
    both: [0, 0],
    ten: [0, 0],
    none: 0,
  };
  const missed = [];
  const each = [];
  const byReason = {};
  for (const [node, paths] of ranBy) {
    const users = walkUsers(graph, [node], { depth: TEST_DEPTH });
    const found = testsToRun(graph, [node], { users, known: [] });
    const [will, may] = [found.will, found.may].map((list) =>
      list.map(({ path }) => path).filter((path) => known.has(path)),
    );
    const right = (list) => list.filter((path) => paths.has(path)).length;
    const both = [...will, ...may];
    sum.ran += paths.size;
    sum.will = [sum.will[0] + right(will), sum.will[1] + will.length];
    sum.both = [sum.both[0] + right(both), sum.both[1] + both.length];
    sum.ten = [sum.ten[0] + right(both.slice(0, 10)), sum.ten[1] + Math.min(10, paths.size)];
    if (right(both) === 0) sum.none++;
    if (right(both) < paths.size) missed.push(`${graph.path(node)} ${graph.qualifiedName(node)}`);
    const name = `${graph.path(node)} ${graph.qualifiedName(node)}`;
    for (const { path, reason, hops } of found.will.filter((test) => known.has(test.path))) {
      byReason[`${reason} ${hops}`] ??= [0, 0];
      byReason[`${reason} ${hops}`][paths.has(path) ? 0 : 1]++;
    }
    for (const test of found.will)
      if (known.has(test.path) && !paths.has(test.path))
        each.push(`+ ${name} <- ${test.path}, ${test.reason} ${test.hops}`);
    for (const path of paths)
      if (!will.includes(path)) each.push(`- ${name} <- ${path}${may.includes(path) ? '' : ', in no tier'}`);
  }
  return { ...sum, missed, each, byReason };
}

function testsLine({ definitions, tests, ran, will, both, ten, none }) {
  return `tests to run, of ${definitions} definitions and ${tests} test files: will found ${share(will[0], ran)}, right ${share(...will)}; both found ${share(both[0], ran)}, right ${share(...both)}; the first ten catch ${share(...ten)}; none right for ${none}`;
}

const share = (a, b) => (b === 0 ? '-' : (a / b).toFixed(3));

{
  const { values, positionals } = parseArgs({
    args: process.argv.slice(process.argv[2] === 'run-truth' ? 3 : 2),
    options: { trace: { type: 'string' }, json: { type: 'boolean' }, misses: { type: 'string', default: '0' } },
    allowPositionals: true,
  });
  const dir = resolve(positionals[0] ?? '.');
  const trace = values.trace === undefined ? traced(dir) : JSON.parse(readFileSync(values.trace, 'utf8'));
  const graph = await linked(dir);
  const found = { ...judge(graph, trace), possible: judgePossible(graph, trace, dir), tests: judgeTests(graph, trace) };
  if (values.json) console.log(JSON.stringify(found));
  else {
    const { recall, judged, byTier, symbols, lost, unused, unknown } = found;
    const all = recall.certain + recall.likely + recall.possible + recall.missed;
    const [right, wrong] = judged.certain.map((count, i) => count + judged.likely[i]);
    console.log(
      `${dir}: ${all} calls that name what they run, of ${symbols} definitions; ${recall.unnamed} without its name, ${unknown} of code that is no definition`,
    );
    console.log(
      `recall: certain ${share(recall.certain, all)}, with likely ${share(recall.certain + recall.likely, all)}, with possible ${share(all - recall.missed, all)}`,
    );
    console.log(
      `precision: certain ${share(judged.certain[0], judged.certain[0] + judged.certain[1])}, likely ${share(judged.likely[0], judged.likely[0] + judged.likely[1])}, both ${share(right, right + wrong)}`,
    );
    console.log(
      `by evidence: ${Object.entries(byTier)
        .map(([tier, [yes, no]]) => `${tier} ${yes} of ${yes + no}`)
        .join(', ')}`,
    );
    console.log(
      `definitions without a proven or likely use of any kind: ${unused.length} of ${symbols}; without one among the traced calls: ${lost.length}`,
    );
    const { cells, parts } = found.possible;
    const cellText = ([key, [yes, no]]) => `${key}: ${yes} of ${yes + no}`;
    console.log(`possible, by row and column: ${Object.entries(cells).sort().map(cellText).join(', ')}`);
    console.log(`by a part of the name: ${parts.right} of ${parts.listed} listed ran, at ${parts.lines} lines`);
    console.log(testsLine(found.tests));
    const reasons = Object.entries(found.tests.byReason).sort(([a], [b]) => (a < b ? -1 : 1));
    console.log(
      `will, right by reason and hops: ${reasons.map(([at, [yes, no]]) => `${at}: ${yes} of ${yes + no}`).join(', ')}`,
    );
    for (const { place, level, to, uses } of found.misses.slice(0, Number(values.misses)))
      console.log(
        `- ${level} ${place} ${to} <- ${uses.map(({ receiver, name, tier, to: at }) => `${receiver}.${name} ${tier} ${at}`).join('; ')}`,
      );
    for (const line of found.tests.each.slice(0, Number(values.misses))) console.log(`tests ${line}`);
    for (const { place, tier, name, receiver, to } of found.wrong.slice(0, Number(values.misses)))
      console.log(`+ ${place} ${receiver}.${name} ${tier} ${to}`);
  }
}
