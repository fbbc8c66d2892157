/** `graph visualize`: a picture of the graph, or of a part of it. */
import { basename } from 'node:path';
import { SocraticodeError } from '../../../base/errors.js';
import { safeJson } from '../../../base/hygiene.js';
import { html } from '../../../graph/picture/html.js';
import { type Part, type PictureScope, partOf, payloadOf, planOf } from '../../../graph/picture/picture.js';
import { dot, mermaid, type Plan } from '../../../graph/picture/text.js';
import { PICTURE_VIEWS, type PictureView } from '../../../graph/picture/types.js';
import { resolveTarget } from '../../../graph/query/target.js';
import type { GraphCandidates } from '../candidates/output.js';
import {
  ambiguous,
  type GraphQuestion,
  type GraphSource,
  type Prepared,
  prepareQuestion,
} from '../snapshot-graph.js';
import { pathFilter } from '../../../search/filter.js';
import type { Session } from '../../../session/session.js';
import type { GraphPicture, GraphVisualizeReport } from '../../../engine/contract.js';
import { checkCount } from '../../../engine/history/history-operation.js';

export const PICTURE_FORMATS = ['mermaid', 'dot', 'json', 'html'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

export interface VisualizeOptions extends GraphQuestion {
  format: string;
  /** Default: symbols if the focus is one, else files. */
  view?: string;
  path?: readonly string[];
  /** A file or a symbol to draw the surroundings of. */
  focus?: string;
  depth?: number;
}

/**
 * Nodes drawn (in a page: at first) unless told otherwise. Mermaid refuses more than 500 edges and arranges badly long
 * before; a reader of JSON wants everything.
 */
const LIMITS: Readonly<Record<PictureFormat, number>> = { mermaid: 80, dot: 300, json: 10_000, html: 250 };
const DEFAULT_DEPTH = 2;
const MAX_DEPTH = 100;

export interface Visualized {
  report: Omit<GraphVisualizeReport, 'output'>;
  picture: string;
}

/** Throws BAD_ARGUMENT for a format, view or focus that is not there. */
export async function runVisualize(
  session: Session,
  options: VisualizeOptions,
  graphs?: GraphSource,
): Promise<Visualized | GraphCandidates> {
  const format = choice('--format', options.format, PICTURE_FORMATS);
  const asked = options.view === undefined ? undefined : choice('--view', options.view, PICTURE_VIEWS);
  checkCount('--depth', options.depth, MAX_DEPTH);
  const prepared = await prepareQuestion(session, options, graphs);
  const { focus: target, limit = LIMITS[format], depth = DEFAULT_DEPTH, path } = options;
  const scope: PictureScope = { accepts: path === undefined ? undefined : pathFilter({ path }), depth };
  const { accepts } = scope;
  if (accepts !== undefined && !prepared.graph.tables.files.some((file) => accepts(file.path)))
    throw new SocraticodeError('BAD_ARGUMENT', `no file of this snapshot matches ${path?.join(', ')}`);
  let view = asked ?? 'files';
  if (target !== undefined) {
    const found = resolveTarget(prepared.graph, target, { prefix: prepared.prefix });
    if ('candidates' in found)
      return ambiguous(prepared, { target, candidates: found.candidates, limit: options.limit });
    scope.focus = found.nodes;
    view = asked ?? (found.isFile ? 'files' : 'symbols');
  }
  const part = partOf(prepared.graph, view, scope);
  const plan = planOf(part, { limit, linkedOnly: format !== 'json' });
  const picture =
    format === 'html'
      ? page(session, prepared, { ...options, view, limit, scope, part })
      : draw(format, plan, prepared);
  const counts = { nodes: plan.marks.length, edges: plan.edges.length, total: part.drawing.nodes.length };
  const report = { format, view, bytes: Buffer.byteLength(picture), ...counts, unlinked: plan.unlinked };
  return { report: { ...prepared.header, ...report }, picture };
}

function choice<T extends string>(option: string, value: string, choices: readonly T[]): T {
  const found = choices.find((each) => each === value);
  if (found !== undefined) return found;
  throw new SocraticodeError('BAD_ARGUMENT', `${option} can't be ${value}`, {
    hint: `Choose one of ${choices.join(', ')}.`,
  });
}

function draw(format: Exclude<PictureFormat, 'html'>, plan: Plan & { unlinked: number }, { header }: Prepared): string {
  if (format === 'mermaid') return mermaid(plan);
  if (format === 'dot') return dot(plan);
  return `${safeJson(describe(plan, header))}\n`;
}

interface PageContext extends VisualizeOptions {
  view: PictureView;
  limit: number;
  scope: PictureScope;
  /** Of `view`. */
  part: Part;
}

function page(
  session: Session,
  { graph, header }: Prepared,
  { view, limit, scope, part, ...asked }: PageContext,
): string {
  const { workTree, gitDir } = session.repository;
  const other = (wanted: PictureView) => (wanted === view ? part : partOf(graph, wanted, scope));
  const { ref, commit } = header;
  const narrowed = [...(asked.focus === undefined ? [] : [`around ${asked.focus}`]), ...(asked.path ?? [])];
  return html(
    payloadOf(
      { files: other('files'), symbols: other('symbols') },
      {
        repository: basename(workTree ?? gitDir).replace(/\.git$/, ''),
        ref: header.overlay > 0 ? `${ref} + uncommitted` : ref,
        commit: commit?.slice(0, 10) ?? '',
        scope: narrowed.join(' '),
        ...{ view, limit },
      },
    ),
  );
}

function describe(
  { drawing, folders, marks, edges, unlinked }: Plan & { unlinked: number },
  header: Prepared['header'],
): GraphPicture {
  const beside = new Map<string, string[]>();
  const nodes = marks.map((mark, i): GraphPicture['nodes'][number] => {
    const id = `n${i}`;
    const outer =
      mark.folder === undefined ? drawing.nodes[mark.node].folder : folders[folders[mark.folder].parent]?.path;
    const list = beside.get(outer ?? '') ?? [];
    beside.set(outer ?? '', list);
    list.push(id);
    if (mark.folder === undefined) {
      const { label, path, kind, language, startLine, endLine } = drawing.nodes[mark.node];
      return { id, label, path, kind, language, startLine, endLine };
    }
    const { path, total } = folders[mark.folder];
    return { id, label: path.slice(path.lastIndexOf('/') + 1), path, kind: 'folder', members: total };
  });
  return {
    ...header,
    view: drawing.view,
    nodes,
    edges: edges.map(({ from, to, kinds, count, inCycle, edges: joined }) => {
      const single = marks[from].folder === undefined && marks[to].folder === undefined;
      const lines = single ? [...drawing.edges[joined[0]].lines] : [];
      return { from: `n${from}`, to: `n${to}`, kinds: [...kinds], count, inCycle, lines };
    }),
    folders: [...beside].map(([path, list]) => ({ path, nodes: list })),
    leftOut: { unlinked },
  };
}
