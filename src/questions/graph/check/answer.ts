/**
 * Answers `graph check`: dependencies, circles of imports and functions that break a rule. Rules of the configuration are read below, by
 * `readRules`, into tests of paths.
 */
import { SocraticodeError } from '../../../base/errors.js';
import { type GraphRule, LIMITS } from '../../../config/rules.js';
import { movedPaths } from '../../../graph/compare/correspondence.js';
import type { Graph } from '../../../graph/graph.js';
import { type Dependency, dependenciesOf } from '../../../graph/query/file-edges.js';
import { cut } from '../../../graph/query/node-place.js';
import { fileCycles, fileImports, shortestWay } from '../../../graph/query/statistics.js';
import { pathMatcher } from '../../../search/filter.js';
import { parseRange } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import { functionSizes } from '../../hotspots/answer.js';
import type { FunctionSize } from '../../hotspots/question.js';
import type { Pen } from '../../pen.js';
import { at, count, more } from '../../view.js';
import { prepareBothGraphs } from '../changes/both-graphs.js';
import { LISTED } from '../graph-question.js';
import { VERBS } from '../graph-text.js';
import { type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';
import type { CheckValues, Excess, GraphCheckResponse, UnmatchedGlob, Violation } from './question.js';

/** Throws BAD_CONFIG for a rule that cannot be read, BAD_ARGUMENT without rules, and UNKNOWN_REF. */
export async function answerCheck(at: Asker, values: CheckValues): Promise<GraphCheckResponse> {
  const { limit = LISTED.violations } = values;
  if (values.in !== undefined && values.ref !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'a ref and a range exclude each other');
  const both = values.in === undefined ? null : await prepareBothGraphs(at, parseRange(values.in), values);
  const prepared = both?.after ?? (await prepareGraph(at, values));
  const { graph, header } = prepared;
  const { rules, given } = await rulesOf(at, prepared);
  const found = findViolations(graph, rules);
  const pathNow = (file: number) => graph.tables.files[file].path;
  let shown: readonly Found[] = found;
  let excesses = excessesOf(await functionSizes(prepared, limitedBy(graph, rules)), rules);
  if (both?.before) {
    const older = both.before.graph;
    const { pathAfter } = movedPaths(older, graph);
    shown = onlyNew(found, findViolations(older, rules), { pathNow, pathThen: pathAfter });
    if (excesses.length > 0) {
      const sizes = await functionSizes(both.before, limitedBy(older, rules, pathAfter));
      const moved = sizes.map((size) => ({ ...size, path: pathAfter(older.findFile(size.path)) }));
      excesses = onlyGrown(excesses, excessesOf(moved, rules));
    }
  }
  let dependencies = 0;
  for (const targets of dependenciesOf(graph).values()) dependencies += targets.size;
  return {
    ...header,
    ...(both !== null && { since: both.from }),
    rules: rules.length,
    dependencies,
    violations: cut(
      shown.map(({ violation }) => violation),
      limit,
    ),
    excesses: cut(excesses, limit),
    unmatched: unmatchedGlobs(
      given,
      graph.tables.files.map(({ path }) => path),
    ),
  };
}

async function rulesOf({ session }: Asker, { origin }: GraphAndHeader) {
  const { config } = await session.configOfOrigin(origin);
  const given = config.graph.rules;
  const rules: Rule[] = readRules(given);
  if (rules.length > 0) return { rules, given };
  throw new SocraticodeError('BAD_ARGUMENT', 'no rules are set that the graph could be checked against', {
    hint: 'Set graph.rules in .socraticode.json: {"graph": {"rules": [{"from": "src/model/**", "to": "src/ui/**", "allow": false}]}}',
  });
}

/** A violation with its files in its graph. Their paths tell whether a violation of another graph is the same. */
interface Found {
  violation: Violation;
  /** Its files: the two of a dependency, or all of a circle. */
  files: readonly number[];
}

/** Violations by rule, then by path and line. */
export function findViolations(graph: Graph, rules: readonly Rule[]): Found[] {
  const found: Found[] = [];
  const edgeRules = rules.filter(({ form }) => form !== 'cycles' && form !== 'limits');
  for (const targets of edgeRules.length === 0 ? [] : dependenciesOf(graph).values())
    for (const dependency of targets.values()) found.push(...brokenBy(graph, dependency, edgeRules));
  for (const [i, rule] of rules.entries())
    if (rule.form === 'cycles') found.push(...cyclesAgainst(graph, rule, exceptionsIn(rules.slice(i + 1))));
  return found.sort(({ violation: a }, { violation: b }) => {
    if (a.rule !== b.rule || a.from === b.from) return a.rule - b.rule || a.line - b.line;
    return a.from < b.from ? -1 : 1;
  });
}

function brokenBy(graph: Graph, dependency: Dependency, rules: readonly Rule[]): Found[] {
  const { from, to, edge, types } = dependency;
  const [path, other] = [graph.tables.files[from].path, graph.tables.files[to].path];
  const found: Found[] = [];
  for (const [i, rule] of rules.entries()) {
    if (rule.isException || !isConcerned(rule, dependency, path, other)) continue;
    if (exceptionsIn(rules.slice(i + 1)).some((later) => isConcerned(later, { types }, path, other))) continue;
    const { startLine, kind, name, receiver } = graph.edge(edge);
    const place = { from: path, line: Math.max(1, startLine), to: other, use: kind };
    const text = receiver === '' ? name : `${receiver}.${name}`;
    found.push({ violation: { ...ruleFields(rule), ...place, text }, files: [from, to] });
  }
  return found;
}

const exceptionsIn = (rules: readonly Rule[]): Rule[] => rules.filter(({ isException }) => isException);

function isConcerned(rule: Rule, { types }: Pick<Dependency, 'types'>, from: string, to: string): boolean {
  return (types ? rule.counts.types : rule.counts.values) && rule.concerns(from, to);
}

/** Circles of imports that the rule counts, one violation each; imports that exceptions allow close none. */
function cyclesAgainst(graph: Graph, rule: Rule, exceptions: readonly Rule[]): Found[] {
  const imports = fileImports(graph, rule.counts);
  const pathOf = (node: number) => graph.tables.files[graph.fileOf(node)].path;
  const isAllowed = (from: string, to: string) =>
    exceptions.some((exception) => isConcerned(exception, { types: false }, from, to));
  const next = (node: number) => {
    const from = pathOf(node);
    if (!rule.accepts(from)) return [];
    return imports(node).filter((to) => rule.accepts(pathOf(to)) && !isAllowed(from, pathOf(to)));
  };
  return fileCycles(graph, next).map((component) => {
    const cycle = shortestWay(graph, component, next);
    const [first] = cycle;
    const to = (cycle[1] ?? first).path;
    return {
      violation: { ...ruleFields(rule), from: first.path, line: first.line, to, use: first.use, text: to, cycle },
      files: component.map((node) => graph.fileOf(node)),
    };
  });
}

function ruleFields({ rule, form, says, why }: Rule): Pick<Violation, 'rule' | 'form' | 'says' | 'why'> {
  return { rule, form: form as Violation['form'], says, ...(why !== undefined && { why }) };
}

/** Files whose functions a rule limits, by their path now. */
function limitedBy(graph: Graph, rules: readonly Rule[], pathOf?: (file: number) => string): (file: number) => boolean {
  const limiting = rules.filter(({ form }) => form === 'limits');
  return (file) => {
    const path = pathOf?.(file) ?? graph.tables.files[file].path;
    return limiting.some((rule) => rule.accepts(path));
  };
}

/** Functions over a limit, by rule, then by path and line. */
export function excessesOf(sizes: readonly FunctionSize[], rules: readonly Rule[]): Excess[] {
  const inOrder = [...sizes].sort((a, b) => (a.path === b.path ? a.startLine - b.startLine : a.path < b.path ? -1 : 1));
  return rules.flatMap(({ rule, says, why, most, accepts }) =>
    inOrder.flatMap(({ cognitive, cyclomatic, lines, parameters = 0, ...place }) => {
      if (most === undefined || !accepts(place.path)) return [];
      const values = { cognitive, cyclomatic, lines, parameters };
      return LIMITS.flatMap((limit): Excess[] => {
        const [value, allowed] = [values[limit], most[limit]];
        if (allowed === undefined || value <= allowed) return [];
        return [{ rule, says, ...(why !== undefined && { why }), ...place, limit, value, most: allowed }];
      });
    }),
  );
}

/** Leaves out functions that were over the limit before, unless they grew. Functions of one name in a file are compared in their order. */
export function onlyGrown(found: readonly Excess[], before: readonly Excess[]): Excess[] {
  const keyed = (all: readonly Excess[]) => {
    const seen = new Map<string, number>();
    return all.map((each) => {
      const name = [each.rule, each.limit, each.path, each.symbol].join('\n');
      const number = seen.get(name) ?? 0;
      seen.set(name, number + 1);
      return [`${name}\n${number}`, each] as const;
    });
  };
  const known = new Map(keyed(before));
  return keyed(found).flatMap(([key, each]) => {
    const was = known.get(key)?.value;
    if (was === undefined) return [each];
    return each.value > was ? [{ ...each, was }] : [];
  });
}

/**
 * Leaves out violations that existed before: of the same two files, or a circle without new files. `pathNow` gives the path of a file of
 * `found`, `pathThen` that of a file of `before`, as it is called now.
 */
export function onlyNew(
  found: readonly Found[],
  before: readonly Found[],
  { pathNow, pathThen }: { pathNow: (file: number) => string; pathThen: (file: number) => string },
): Found[] {
  const keyOf = ({ violation: { rule }, files }: Found, pathOf: (file: number) => string) =>
    `${rule}\n${files.map(pathOf).join('\n')}`;
  const known = new Set(before.map((each) => keyOf(each, pathThen)));
  const circles = before
    .filter(({ violation }) => violation.form === 'cycles')
    .map(({ violation: { rule }, files }) => ({ rule, paths: new Set(files.map(pathThen)) }));
  return found.filter((each) => {
    if (each.violation.form !== 'cycles') return !known.has(keyOf(each, pathNow));
    return !circles.some(
      ({ rule, paths }) => rule === each.violation.rule && each.files.every((file) => paths.has(pathNow(file))),
    );
  });
}

// Rules.

interface Rule extends Pick<Violation, 'rule' | 'says' | 'why'> {
  form: Violation['form'] | 'limits';
  /** Limits of functions. */
  most?: Pick<GraphRule, (typeof LIMITS)[number]>;
  /** True if it allows uses that rules before it forbid. */
  isException: boolean;
  /** Kinds of imports that it counts. */
  counts: { types: boolean; values: boolean; lazy: boolean };
  accepts: PathTest;
  /** Does it forbid that use of one path by another, or allow it as an exception? */
  concerns: (from: string, to: string) => boolean;
}

type PathTest = (path: string) => boolean;

const FORMS = ['to', 'only', 'layers', 'independent', 'cycles'] as const;

/** Throws BAD_CONFIG for a rule without a form, or with two. */
export function readRules(rules: readonly GraphRule[]): Rule[] {
  return rules.map((rule, i) => {
    const isLimit = LIMITS.some((limit) => rule[limit] !== undefined);
    const forms = [...FORMS.filter((form) => rule[form] !== undefined), ...(isLimit ? (['limits'] as const) : [])];
    const [form] = forms;
    const fault = faultOf(rule, forms);
    if (form === undefined || fault !== null) {
      throw new SocraticodeError('BAD_CONFIG', `graph.rules[${i}]: ${fault}`, {
        hint: `A rule has one of to, only, layers, independent and cycles, or limits: ${LIMITS.join(', ')}.`,
      });
    }
    // Circles of types are gone when the program runs.
    const { imports = form === 'cycles' ? 'values' : 'all' } = rule;
    return {
      ...{ rule: i + 1, form, says: saysOf(rule), ...(rule.why !== undefined && { why: rule.why }) },
      ...(isLimit && { most: rule }),
      isException: rule.allow === true,
      counts: {
        types: imports === 'all' || imports === 'types',
        values: imports !== 'types',
        lazy: imports !== 'static',
      },
      accepts: matcher(rule.from),
      concerns: concernsOf(rule),
    };
  });
}

function faultOf(rule: GraphRule, forms: readonly string[]): string | null {
  if (forms.length === 0) return 'it forbids nothing';
  if (forms.length > 1) return `${forms.join(' and ')} are in one rule`;
  if (rule.cycles === true) return 'cycles can only be false';
  if (rule.imports === 'static' && rule.cycles === undefined) return 'imports can be static for cycles alone';
  if (rule.allow === true && rule.to === undefined) return 'allow needs to';
  if (rule.from === undefined && (rule.to ?? rule.only) !== undefined) return 'it needs from';
  if (rule.from !== undefined && (rule.layers ?? rule.independent) !== undefined) return 'from does not go with it';
  return null;
}

function concernsOf({ from, to, only, layers, independent }: GraphRule): Rule['concerns'] {
  const isFrom = matcher(from);
  if (to !== undefined) {
    const isTo = matcher(to);
    return (path, other) => isFrom(path) && isTo(other);
  }
  if (only !== undefined) {
    const isAllowed = only.length === 0 ? () => false : matcher(only);
    return (path, other) => isFrom(path) && !isFrom(other) && !isAllowed(other);
  }
  const unitOf = layers !== undefined ? layerOf(layers) : folderOf(independent ?? []);
  const isWrong = layers !== undefined ? (a: number, b: number) => b > a : (a: number, b: number) => a !== b;
  return (path, other) => {
    const [a, b] = [unitOf(path), unitOf(other)];
    return a >= 0 && b >= 0 && isWrong(a, b);
  };
}

/** Number of the lowest layer that a path is in, -1 for none. */
function layerOf(layers: readonly string[]): (path: string) => number {
  const tests = layers.map((glob) => matcher([glob]));
  return (path) => tests.findIndex((test) => test(path));
}

/** Number of the highest folder with a path in it that matches a glob, -1 for none. */
function folderOf(globs: readonly string[]): (path: string) => number {
  const isUnit = matcher(globs);
  const numbers = new Map<string, number>();
  const known = new Map<string, number>();
  const find = (path: string): number => {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const part = end < 0 ? path : path.slice(0, end);
      if (isUnit(part)) {
        const number = numbers.get(part) ?? numbers.size;
        numbers.set(part, number);
        return number;
      }
      if (end < 0) return -1;
    }
  };
  return (path) => {
    const unit = known.get(path) ?? find(path);
    known.set(path, unit);
    return unit;
  };
}

/** Without globs every path matches. Each path is matched once. */
function matcher(globs: readonly string[] | undefined): PathTest {
  if (globs === undefined) return () => true;
  const test = pathMatcher(globs);
  const known = new Map<string, boolean>();
  return (path) => {
    const answer = known.get(path) ?? test(path);
    known.set(path, answer);
    return answer;
  };
}

const list = (globs: readonly string[] = []): string => globs.join(', ');

function saysOf({ from, to, only, layers, independent, imports, ...rule }: GraphRule): string {
  const what = imports === undefined || imports === 'all' ? '' : ` (${imports} alone)`;
  if (to !== undefined) return `${list(from)} must not use ${list(to)}${what}`;
  if (only?.length === 0) return `${list(from)} may use nothing else${what}`;
  if (only !== undefined) return `${list(from)} may use only ${list(only)}${what}`;
  if (layers !== undefined) return `layers from bottom to top: ${list(layers)}${what}`;
  if (independent !== undefined) return `independent of each other: ${list(independent)}${what}`;
  const limits = LIMITS.flatMap((limit) => (rule[limit] === undefined ? [] : [`${limit} ${rule[limit]}`]));
  if (limits.length > 0)
    return `functions in ${from === undefined ? 'any file' : list(from)}: at most ${limits.join(', ')}`;
  return `no import cycles in ${from === undefined ? 'any file' : list(from)}`;
}

/** Globs that match none of the paths. Those that begin with "!" exclude, and may match nothing. */
export function unmatchedGlobs(rules: readonly GraphRule[], paths: readonly string[]): UnmatchedGlob[] {
  const isUnused = new Map<string, boolean>();
  const matchesNone = (glob: string): boolean => {
    const known = isUnused.get(glob) ?? !paths.some(pathMatcher([glob]));
    isUnused.set(glob, known);
    return known;
  };
  return rules.flatMap((rule, i) =>
    (['from', 'to', 'only', 'layers', 'independent'] as const).flatMap((field) =>
      (rule[field] ?? []).flatMap((glob) =>
        !glob.startsWith('!') && matchesNone(glob) ? [{ rule: i + 1, field, glob }] : [],
      ),
    ),
  );
}

// Text: the lines that break a rule are below it.

export function checkText(response: GraphCheckResponse, { pen }: { pen: Pen }): string {
  const { violations, excesses, rules, dependencies, since, unmatched } = response;
  const number = count(violations, pen) + count(excesses, pen);
  const added = since === undefined ? '' : `, new since ${since.ref}`;
  const head = `${number === 0 ? 'no violations' : formatCount(number, 'violation')}${added}`;
  const checked = pen.dim(
    `  (${formatCount(rules, 'rule')}, ${formatCount(dependencies, 'dependency', 'dependencies')})`,
  );
  const lines = [`${head}${checked}`];
  let rule = 0;
  for (const violation of violations.list) {
    if (violation.rule !== rule) lines.push('', ...ruleLines(violation, pen));
    rule = violation.rule;
    lines.push(...violationLines(violation, pen));
  }
  lines.push(...more(violations.leftOut, pen));
  for (const excess of excesses.list) {
    if (excess.rule !== rule) lines.push('', ...ruleLines(excess, pen));
    rule = excess.rule;
    lines.push(excessLine(excess, pen));
  }
  lines.push(...more(excesses.leftOut, pen));
  if (unmatched.length > 0) lines.push('');
  for (const { rule: number, field, glob } of unmatched)
    lines.push(pen.dim(`rule ${number}: no file matches ${JSON.stringify(glob)} in ${field}`));
  return `${lines.join('\n')}\n`;
}

function excessLine({ path, startLine, symbol, limit, value, was }: Excess, pen: Pen): string {
  const grew = was === undefined ? '' : `, was ${was}`;
  return `  ${at(path, startLine, pen)}  ${pen.symbol(symbol ?? '')}  ${limit} ${value}${grew}`;
}

function ruleLines({ rule, says, why }: Pick<Violation, 'rule' | 'says' | 'why'>, pen: Pen): string[] {
  const reason = why === undefined ? [] : [`  ${why}`];
  return [`rule ${rule}: ${says}`, ...reason.map((line) => pen.dim(line))];
}

function violationLines({ from, line, to, use, text, cycle }: Violation, pen: Pen): string[] {
  if (cycle === undefined) {
    const isImport = VERBS[use]?.includes('import') === true || use === 'require' || use === 'include';
    const name = isImport ? '' : `  ${pen.symbol(text)}`;
    return [`  ${at(from, line, pen)} ${VERBS[use] ?? use} ${pen.path(to)}${name}`];
  }
  const steps = cycle.map((step) => `  ${at(step.path, step.line, pen)}`);
  return [...steps, pen.dim(`  back to ${from}`)];
}
