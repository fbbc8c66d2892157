/** Answers `graph deps`: what a file imports, and which files import it. */
import type { Graph } from '../../../graph/graph.js';
import { filesUsedBy, filesUsing, neighbours } from '../../../graph/query/file-edges.js';
import { cut } from '../../../graph/query/node-place.js';
import { resolveFile } from '../../../graph/query/target.js';
import { outgoing } from '../../../graph/query/uses.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import { count, rows, type Some, section, total } from '../../view.js';
import { DEPS_DEPTH, LISTED } from '../graph-question.js';
import { lineList } from '../graph-text.js';
import type { GraphCandidates } from '../output.js';
import { ambiguous, askGraph, checkRead, type GraphAndHeader, parseErrorsAt } from '../snapshot-graph.js';
import type { Deps, DepsValues, GraphDepsResponse, OutsideImport, Reached } from './question.js';

/** Throws BAD_ARGUMENT for a file that is not in the snapshot. */
export function answerDeps(at: Asker, values: DepsValues): Promise<GraphDepsResponse | GraphCandidates> {
  return askGraph(at, values, async (prepared) => depsIn(prepared, values));
}

function depsIn(prepared: GraphAndHeader, values: DepsValues): GraphDepsResponse | GraphCandidates {
  const { file: target, limit, transitive, depth } = values;
  const { graph, header, prefix } = prepared;
  const found = resolveFile(graph, target, prefix);
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
  checkRead(prepared, found.file);
  const hops = depth ?? (transitive ? DEPS_DEPTH : undefined);
  const errors = parseErrorsAt(graph, [graph.fileNode(found.file)]);
  return { ...header, ...errors, target, ...depsOf(graph, found.file, { limit: limit ?? LISTED.deps, depth: hops }) };
}

interface DepsOptions {
  limit: number;
  /** Maximum number of hops along imports; undefined follows none. */
  depth?: number;
}

export function depsOf(graph: Graph, file: number, { limit, depth }: DepsOptions): Deps {
  const { path, language, state } = graph.tables.files[file];
  const node = graph.fileNode(file);
  return {
    file: { path, language, state, lines: graph.endLine(node) },
    imports: cut(filesUsedBy(graph, file), limit),
    external: cut(outsideImports(graph, node, 'external'), limit),
    unresolved: cut(outsideImports(graph, node, 'unresolved'), limit),
    dependents: cut(filesUsing(graph, file), limit),
    ...(depth !== undefined && {
      transitive: {
        depth,
        imports: cut(reach(graph, file, { direction: 'out', depth }), limit),
        dependents: cut(reach(graph, file, { direction: 'in', depth }), limit),
      },
    }),
  };
}

function outsideImports(graph: Graph, node: number, tier: 'external' | 'unresolved'): OutsideImport[] {
  const found = new Map<string, OutsideImport>();
  for (const number of outgoing(graph, node)) {
    if (!graph.isFileEdge(number) || graph.target(number) >= 0) continue;
    const edge = graph.edge(number);
    const isWanted = tier === 'external' ? edge.tier === 'external' : edge.tier !== 'external';
    if (!isWanted || found.has(edge.name)) continue;
    found.set(edge.name, { specifier: edge.name, kind: edge.kind, line: edge.startLine });
  }
  return [...found.values()];
}

function reach(
  graph: Graph,
  file: number,
  { direction, depth }: { direction: 'in' | 'out'; depth: number },
): Reached[] {
  const seen = new Set([file]);
  const found: Reached[] = [];
  let level = [file];
  for (let hops = 1; hops <= depth && level.length > 0; hops++) {
    const next: number[] = [];
    for (const from of level) {
      for (const to of neighbours(graph, from, direction)) {
        if (seen.has(to)) continue;
        seen.add(to);
        next.push(to);
        found.push({ path: graph.tables.files[to].path, hops, via: graph.tables.files[from].path });
      }
    }
    level = next;
  }
  return found.sort((a, b) => a.hops - b.hops || (a.path < b.path ? -1 : 1));
}

type Link = GraphDepsResponse['imports']['list'][number];
type Outside = GraphDepsResponse['external'];
type ReachedFiles = NonNullable<GraphDepsResponse['transitive']>['imports'];

export function depsText(response: GraphDepsResponse, { pen }: { pen: Pen }): string {
  const { file, imports, external, unresolved, dependents, transitive } = response;
  const state = file.state === 'linked' ? '' : `, ${STATES[file.state]}`;
  const lines = [
    `${pen.path(file.path)}  ${pen.dim(`${file.language}, ${formatCount(file.lines, 'line')}${state}`)}`,
    ...section(`imports ${formatCount(count(imports, pen), 'file')}`, links(imports, pen, true)),
    ...section(`imports ${formatCount(count(external, pen), 'package')}`, outside(external, pen)),
    ...section(`not found: ${formatCount(count(unresolved, pen), 'import')}`, outside(unresolved, pen)),
    ...section(`imported by ${formatCount(count(dependents, pen), 'file')}`, links(dependents, pen, false)),
  ];
  if (total(dependents) === 0 && pen.skipped === undefined) lines.push('', `nothing here imports it`);
  if (transitive !== undefined) {
    const within = `within ${formatCount(transitive.depth, 'hop')}`;
    lines.push(
      ...section(
        `reaches ${formatCount(count(transitive.imports, pen), 'file')} ${within}`,
        hops(transitive.imports, pen),
      ),
      ...section(
        `reached from ${formatCount(count(transitive.dependents, pen), 'file')} ${within}`,
        hops(transitive.dependents, pen),
      ),
    );
  }
  return `${lines.join('\n')}\n`;
}

const STATES: Readonly<Record<string, string>> = {
  none: 'no imports and calls are known in this language',
  degraded: 'could not be parsed as a whole',
  unreadable: 'could not be read',
};

/** Lines of links. `isHere`: their line numbers are those of the requested file, else those of the other one. */
function links(all: Some<Link>, pen: Pen, isHere: boolean): string[] {
  const line = ({ path, kinds, lines: at, names }: Link) => {
    const isDefault = kinds.every((kind) => kind === 'import' || kind === 'require' || kind === 'include');
    const how = kinds.length === 0 ? ' without an import' : isDefault ? '' : ` ${kinds.join(', ')}`;
    const rest = names.leftOut > 0 ? ` and ${names.leftOut} more` : '';
    const used = names.list.length === 0 ? '' : `  ${names.list.join(', ')}${rest}`;
    return `  ${pen.path(path)}${isHere ? pen.dim(' line ') : ':'}${pen.line(lineList(at))}${pen.dim(how)}${used}`;
  };
  return rows(all, line, pen);
}

function outside(all: Outside, pen: Pen): string[] {
  const how = (line: number, kind: string) => pen.dim(`line ${line}${kind === 'import' ? '' : `, ${kind}`}`);
  return rows(all, ({ specifier, kind, line }) => `  ${specifier}  ${how(line, kind)}`, pen);
}

function hops(all: ReachedFiles, pen: Pen): string[] {
  return rows(all, (one) => `  ${one.hops} ${pen.path(one.path)}  ${pen.dim(`by ${one.via}`)}`, pen);
}
