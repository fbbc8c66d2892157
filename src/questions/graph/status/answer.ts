/** Answers `graph status`, which links nothing, and `codebase_graph_build` for agents, which links in the background. */
import { SocraticodeError } from '../../../base/errors.js';
import { statsOf } from '../../../graph/query/statistics.js';
import { LINK_VERSION } from '../../../graph/tables.js';
import type { BackgroundState } from '../../../serve/job.js';
import { graphsOf } from '../../../session/graph/graphs.js';
import { GRAPH_KINDS } from '../../../session/state-kinds.js';
import type { Asker } from '../../asker.js';
import { formatBytes, formatCount, percent } from '../../format.js';
import { describeExtensions, extensionLine } from '../../index/answer.js';
import type { Pen } from '../../pen.js';
import { sharesText } from '../stats/answer.js';
import type { GraphBuildValues, GraphStatus, GraphStatusValues } from './question.js';

/** Throws UNKNOWN_REF. */
export async function answerGraphStatus(at: Asker, { ref }: GraphStatusValues): Promise<GraphStatus> {
  const { session, server } = at;
  const background = server?.project.background.state();
  const origin = await session.origin(ref, { unborn: true });
  const known = graphsOf(session).known(origin);
  const { resolved } = origin;
  // A job that links this graph may still be working on the material for the next ones.
  const building = background === undefined || known !== null ? null : buildingOf(background, resolved);
  return {
    schemaVersion: 1,
    ref: resolved.ref,
    commit: resolved.commit,
    state: building !== null ? 'building' : known === null ? 'none' : 'linked',
    version: LINK_VERSION,
    coverage: known?.note.coverage ?? null,
    graph: known && sizesOf(known.graph),
    building,
    cache: session.state.size(GRAPH_KINDS),
  };
}

/** Time in which a small repository is linked. */
const WAIT_MS = 2_000;

/** Starts linking in the background, waits a moment, and reports the progress. Throws the errors of linking. */
export async function answerGraphBuild(
  at: Asker,
  { extraExtensions, ...values }: GraphBuildValues,
): Promise<GraphStatus> {
  const { session, server, signal } = at;
  if (server === undefined) throw new SocraticodeError('INTERNAL', 'only a server links in the background');
  const outcome = await server.project.background.relink({ ref: values.ref }, { waitMs: WAIT_MS, signal });
  if (outcome.status === 'failed') throw outcome.error;
  const status = await answerGraphStatus(at, values);
  if (extraExtensions === undefined) return status;
  return { ...status, extensions: await describeExtensions(session, extraExtensions, values.ref) };
}

/** State of the job, running or queued, that links the graph of that commit. */
function buildingOf(
  { running, queued }: BackgroundState,
  { ref, commit }: { ref: string; commit: string | null },
): GraphStatus['building'] {
  if (running?.kind === 'link' && running.ref === ref && running.commit === commit)
    return { phase: running.phase, done: running.done, total: running.total === 0 ? null : running.total };
  const isQueued = queued.some((job) => job.kind === 'link' && job.ref === ref);
  return isQueued ? { phase: 'waiting', done: 0, total: null } : null;
}

function sizesOf(graph: Parameters<typeof statsOf>[0]): NonNullable<GraphStatus['graph']> {
  const { files, symbols, edges, calls, imports } = statsOf(graph, { connected: 0, orphans: 0 });
  const count = Object.values(edges).reduce((sum, each) => sum + each, 0);
  const compiled = graph.tables.files.filter((file) => file.compiled !== undefined).length;
  return { files, symbols, edges: count, calls, imports, compiled };
}

const LABEL_WIDTH = 8;

export function graphStatusText(
  { state, graph, building, cache, version }: GraphStatus,
  { pen }: { pen: Pen },
): string {
  const rows: [string, string][] = [['state', STATES[state]]];
  if (building !== null) {
    const share = building.total === null || building.total === 0 ? '' : ` ${percent(building.done / building.total)}`;
    rows.push(['phase', `${building.phase}${share}`]);
  }
  if (graph !== null) {
    const size = [
      formatCount(graph.files, 'file'),
      formatCount(graph.symbols, 'symbol'),
      formatCount(graph.edges, 'edge'),
    ];
    if (graph.compiled > 0) size.push(`a compiler told about ${formatCount(graph.compiled, 'file')}`);
    rows.push(['graph', size.join(', ')], ['imports', sharesText(graph.imports)], ['calls', sharesText(graph.calls)]);
  }
  rows.push(['cache', `${formatCount(cache.files, 'file')}, ${formatBytes(cache.bytes)}; link version ${version}`]);
  return `${rows.map(([label, text]) => `${pen.dim(label.padEnd(LABEL_WIDTH))} ${text}`).join('\n')}\n`;
}

const STATES: Readonly<Record<GraphStatus['state'], string>> = {
  linked: 'linked',
  building: 'BUILDING',
  none: 'not linked yet: the next question about it links it',
};

/** Adds that linking goes on if the wait was too short. */
export function graphBuildText(document: GraphStatus, writing: { pen: Pen }): string {
  const extensions = (document.extensions ?? []).map((each) => `${extensionLine(each)}\n`).join('');
  const text = `${graphStatusText(document, writing)}${extensions}`;
  if (document.state !== 'building') return text;
  return `${text}it goes on in the background; questions wait for it or link what they lack\n`;
}
