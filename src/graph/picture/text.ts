/** Writes pictures for Mermaid and Graphviz. Node names are synthetic, and labels are escaped. */
import { visibleLine } from '../../base/hygiene.js';
import type { Folder, Mark, MarkEdge, Marks } from './folders.js';
import type { Drawing } from './types.js';

/** Drawing, and the marks that represent it. */
export interface Plan extends Marks {
  drawing: Drawing;
  folders: readonly Folder[];
}

const CYCLE_COLOUR = '#d1242f';
const FOLDER_COLOUR = '#eaeef2';

/** Label of a mark; a folder's label ends with the number of nodes in it. */
function markLabel({ drawing, folders }: Plan, mark: Mark): string {
  if (mark.folder === undefined) return visibleLine(drawing.nodes[mark.node].label);
  const { path, total } = folders[mark.folder];
  return `${visibleLine(path === '' ? '/' : path)} (${total})`;
}

/** Groups marks into frames by folder; those at the top are in no frame. */
function frames({ drawing, folders, marks }: Plan): { outside: number[]; framed: Map<string, number[]> } {
  const framed = new Map<string, number[]>();
  const outside: number[] = [];
  marks.forEach((mark, i) => {
    const path = mark.folder === undefined ? drawing.nodes[mark.node].folder : outer(folders, mark.folder);
    const list = path === '' ? outside : (framed.get(path) ?? []);
    list.push(i);
    if (path !== '') framed.set(path, list);
  });
  return { outside, framed };
}

const outer = (folders: readonly Folder[], at: number): string => folders[folders[at].parent]?.path ?? '';

/** Tells whether all uses are of types, which are drawn as a broken line. */
const isWeak = ({ kinds }: MarkEdge): boolean => kinds.every((kind) => kind === 'type-import');

// Characters that are special in Mermaid, including those of `%%{` directives and of markdown in backquotes.
const MERMAID_SPECIAL = /["#&<>`{}|\\[\]%;]/g;

const mermaidText = (text: string): string =>
  text.replace(MERMAID_SPECIAL, (character) => `#${character.charCodeAt(0)};`);

/** Mermaid flow chart, with cycles in red. */
export function mermaid(plan: Plan): string {
  const { marks, edges } = plan;
  const { outside, framed } = frames(plan);
  const node = (i: number) =>
    marks[i].folder === undefined
      ? `n${i}["${mermaidText(markLabel(plan, marks[i]))}"]`
      : `n${i}[["${mermaidText(markLabel(plan, marks[i]))}"]]:::folder`;
  const cycles = edges.flatMap(({ inCycle }, i) => (inCycle ? [i] : []));
  const lines = ['flowchart LR', ...outside.map((i) => `  ${node(i)}`)];
  [...framed].forEach(([path, list], i) => {
    lines.push(
      `  subgraph f${i}["${mermaidText(visibleLine(path))}"]`,
      ...list.map((at) => `    ${node(at)}`),
      '  end',
    );
  });
  lines.push(...edges.map((edge) => `  n${edge.from} ${isWeak(edge) ? '-.->' : '-->'} n${edge.to}`));
  lines.push(`  classDef folder fill:${FOLDER_COLOUR},stroke:#8c959f,color:#24292f`);
  if (cycles.length > 0) lines.push(`  linkStyle ${cycles.join(',')} stroke:${CYCLE_COLOUR},stroke-width:2px`);
  return `${lines.join('\n')}\n`;
}

const dotText = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`;

/** Graphviz digraph, with cycles in red. */
export function dot(plan: Plan): string {
  const { marks, edges } = plan;
  const { outside, framed } = frames(plan);
  const node = (i: number) => {
    const shape = marks[i].folder === undefined ? '' : `, shape=folder, fillcolor="${FOLDER_COLOUR}"`;
    return `n${i} [label=${dotText(markLabel(plan, marks[i]))}${shape}];`;
  };
  const lines = [
    'digraph "code" {',
    '  charset="UTF-8"; rankdir=LR; fontname="Helvetica"; newrank=true;',
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", color="#8c959f", fontname="Helvetica", fontsize=11];',
    '  edge [color="#8c959f", arrowsize=0.6];',
    ...outside.map((i) => `  ${node(i)}`),
  ];
  [...framed].forEach(([path, list], i) => {
    lines.push(`  subgraph cluster_${i} {`, `    label=${dotText(visibleLine(path))}; color="#d0d7de";`);
    lines.push(...list.map((at) => `    ${node(at)}`), '  }');
  });
  for (const edge of edges) {
    const style = [
      ...(edge.inCycle ? [`color="${CYCLE_COLOUR}"`, 'penwidth=1.6'] : []),
      ...(isWeak(edge) ? ['style=dashed'] : []),
    ];
    lines.push(`  n${edge.from} -> n${edge.to}${style.length > 0 ? ` [${style.join(', ')}]` : ''};`);
  }
  return `${lines.join('\n')}\n}\n`;
}
