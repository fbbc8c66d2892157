/** Dependencies and circles of imports that break a rule. */
import type { Graph } from '../../../graph/graph.js';
import { type Dependency, dependenciesOf } from '../../../graph/query/dependencies.js';
import { fileCycles, fileImports, shortestWay } from '../cycles/find-cycles.js';
import type { Violation } from './output.js';
import type { Rule } from './rules.js';

/** A violation with what makes it the same one on the other side of a change. */
export interface Found {
  violation: Violation;
  /** Files of it: the two of a dependency, or all of a circle. */
  files: readonly number[];
}

/** By rule, then by path and line. */
export function findViolations(graph: Graph, rules: readonly Rule[]): Found[] {
  const found: Found[] = [];
  const edgeRules = rules.filter(({ form }) => form !== 'cycles');
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
    found.push({ violation: { ...told(rule), ...place, text }, files: [from, to] });
  }
  return found;
}

const exceptionsIn = (rules: readonly Rule[]): Rule[] => rules.filter(({ isException }) => isException);

function isConcerned(rule: Rule, { types }: Pick<Dependency, 'types'>, from: string, to: string): boolean {
  return (types ? rule.counts.types : rule.counts.values) && rule.concerns(from, to);
}

function cyclesAgainst(graph: Graph, rule: Rule, exceptions: readonly Rule[]): Found[] {
  const imports = fileImports(graph, rule.counts.types);
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
      violation: { ...told(rule), from: first.path, line: first.line, to, use: first.use, text: to, cycle },
      files: component.map((node) => graph.fileOf(node)),
    };
  });
}

function told({ rule, form, says, why }: Rule): Pick<Violation, 'rule' | 'form' | 'says' | 'why'> {
  return { rule, form, says, ...(why !== undefined && { why }) };
}

/** Leaves out violations that were there before: of the same two files, or a circle of no further files. */
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
