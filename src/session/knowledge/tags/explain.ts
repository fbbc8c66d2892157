/** Says which of its conditions a rule found where: for the one place that somebody asks about. */
import type { Graph } from '../../../graph/graph.js';
import { CALL_KINDS } from '../../../graph/query/uses.js';
import { FILE_EDGE_KINDS } from '../../../graph/types.js';
import { pathMatcher } from '../../../search/filter.js';
import type { KnownRule, NamesTest, RuleTests } from './rules.js';

/** Such as `path src/auth`, `imports jose (line 3)`, `calls jwt.sign (line 12)`. */
export function evidenceOf(graph: Graph, node: number, rule: KnownRule, tests: RuleTests): string[] {
  const { path, language } = graph.tables.files[graph.fileOf(node)];
  const { path: globs = [], is = [], regex } = rule;
  const glob = globs.find((each) => !each.startsWith('!') && pathMatcher([each])(path));
  return [
    ...(glob === undefined ? [] : [`path ${glob}`]),
    ...(is.length === 0 ? [] : [`is ${is.join(', ')}`]),
    ...(rule.language === undefined ? [] : [`language ${language}`]),
    ...(tests.imports === null ? [] : importIn(graph, graph.fileNode(graph.fileOf(node)), tests.imports)),
    ...(tests.symbol === null ? [] : [`symbol ${graph.qualifiedName(node)}`]),
    ...(tests.calls === null ? [] : callIn(graph, node, tests.calls)),
    ...(regex === undefined ? [] : [`a line matches ${regex}`]),
  ];
}

function importIn(graph: Graph, node: number, test: (specifier: string) => boolean): string[] {
  for (const { kind, name, startLine } of edgesOf(graph, node))
    if (FILE_EDGE_KINDS.has(kind) && test(name)) return [`imports ${name} (line ${startLine})`];
  return [];
}

function callIn(graph: Graph, node: number, { simple, qualified }: NamesTest): string[] {
  for (const { kind, name, receiver, startLine } of edgesOf(graph, node)) {
    if (!CALL_KINDS.has(kind)) continue;
    const text = receiver === '' ? name : `${receiver}.${name}`;
    if (simple?.(name) || (receiver !== '' && qualified?.(text))) return [`calls ${text} (line ${startLine})`];
  }
  return [];
}

function* edgesOf(graph: Graph, node: number): Generator<ReturnType<Graph['edge']>> {
  const [start, end] = graph.edgeRange(node);
  for (let edge = start; edge < end; edge++) yield graph.edge(edge);
}
