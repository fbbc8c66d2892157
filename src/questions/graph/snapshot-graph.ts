/** First step of every question about the graph: prepares the graph of its snapshot, and the header of the answer. */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import { mayHaveRefs, NOTES_PREFIX } from '../../git/repository.js';
import type { Graph } from '../../graph/graph.js';
import type { ImpactOptions } from '../../graph/query/impact.js';
import type { NamePlace } from '../../graph/query/name-occurrences.js';
import { cut, isTest, isTestCode, type Prefix } from '../../graph/query/node-place.js';
import type { Candidate } from '../../graph/query/target.js';
import { possibleUses } from '../../graph/query/users.js';
import { isHidden } from '../../graph/query/uses.js';
import { isUnreadPage } from '../../languages/registry.js';
import type { GraphOptions, PreparedGraph } from '../../session/graph/graphs.js';
import { prefixOf, type Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { formatCount } from '../format.js';
import { LISTED } from './graph-question.js';
import type { Impact } from './impact/question.js';
import type { GraphCandidates, MentionedIn } from './output.js';

interface Header {
  schemaVersion: 1;
  ref: string;
  commit: string | null;
  coverage: { covered: number; total: number };
  dirty: number;
  overlay: number;
}

export interface GraphAndHeader extends PreparedGraph {
  header: Header;
  prefix: Prefix;
}

/** Graph of the question's snapshot. Throws UNKNOWN_REF, and the errors of indexing. */
export async function prepareGraph(at: Asker, { ref, committed, partly }: GraphOptions): Promise<GraphAndHeader> {
  const { session, signal } = at;
  const { graphsOf } = await import('../../session/graph/graphs.js');
  return withHeader(at, await graphsOf(session).prepare({ ref, committed, partly, signal }));
}

/** As `prepareGraph`, in one attempt: for a question that is asked again as a whole if its commit vanishes. */
export async function openGraph(at: Asker, { ref, committed }: GraphOptions): Promise<GraphAndHeader> {
  const { session, signal } = at;
  const [{ snapshotsOf }, { graphsOf }] = await Promise.all([
    import('../../session/snapshot/overlay.js'),
    import('../../session/graph/graphs.js'),
  ]);
  return withHeader(at, await graphsOf(session).of(await snapshotsOf(session).open({ ref, committed }), { signal }));
}

function withHeader({ session, directory }: Asker, prepared: PreparedGraph): GraphAndHeader {
  const { origin, coverage, dirty, overlay } = prepared;
  const { ref, commit } = origin.resolved;
  const header = { schemaVersion: 1 as const, ref, commit, coverage, dirty, overlay };
  return { ...prepared, header, prefix: prefixOf(session, directory) };
}

/**
 * Answers a question about one name or file, which is useful before all files are read: `answer` gets a graph of the
 * files read so far if a first index takes longer than a question waits. An unknown name may be in a file that is still
 * to be read: then this throws NOT_READY.
 */
export async function askGraph<T>(
  at: Asker,
  values: GraphOptions,
  answer: (prepared: GraphAndHeader) => Promise<T>,
): Promise<T> {
  const { ref, committed } = values;
  const prepared = await prepareGraph(at, { ref, committed, partly: true });
  const { covered, total } = prepared.coverage;
  try {
    return await answer(prepared);
  } catch (error) {
    if (!prepared.isPart || !isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
    const read = `${groupDigits(covered)} of ${formatCount(total, 'file')}`;
    throw new SocraticodeError('NOT_READY', `${error.message}, but only ${read} are read so far`);
  }
}

/** Throws NOT_READY for a file that is not read yet: a partial graph knows nothing of it. */
export function checkRead({ graph, isPart }: GraphAndHeader, file: number): void {
  const { path, state } = graph.tables.files[file];
  if (isPart && state === 'unreadable') throw new SocraticodeError('NOT_READY', `${path} is not read yet`);
}

/** Answer for a name that means several things. `limit`: as requested. */
export function ambiguous(
  { header }: GraphAndHeader,
  { target, candidates, limit }: { target: string; candidates: readonly Candidate[]; limit: number | undefined },
): GraphCandidates {
  return { ...header, target, candidates: cut(candidates, limit ?? LISTED.candidates) };
}

/** Maximum number of files with parse errors that an answer names. */
const MAX_INCOMPLETE = 5;

/** Files of the nodes whose parse errors may hide declarations and uses, as a field of an answer. */
export function parseErrorsAt(graph: Graph, nodes: readonly number[]): { parseErrors?: string[] } {
  const files = new Set(nodes.map((node) => graph.fileOf(node)));
  const paths = [...files].flatMap((file) => {
    const { isIncomplete, path } = graph.tables.files[file];
    return isIncomplete ? [path] : [];
  });
  return paths.length === 0 ? {} : { parseErrors: paths.slice(0, MAX_INCOMPLETE) };
}

/** Mentions of nodes in documents and in doc comments of other files, as a field of an answer. */
export async function mentionsIn(
  at: Pick<Asker, 'session' | 'signal'>,
  prepared: Pick<PreparedGraph, 'graph' | 'objects' | 'origin' | 'overlay' | 'uncommitted'>,
  nodes: readonly number[],
): Promise<{ mentionedIn?: MentionedIn }> {
  if (nodes.length === 0) return {};
  const { mentionedIn } = await import('../docs/mentions.js');
  const found = await mentionedIn(at, prepared, nodes);
  return found === undefined ? {} : { mentionedIn: found };
}

/** Maximum number of lines that an answer names: enough to show what kind of use it is. */
const NAMED_LINES = 5;

/** Lines of production code first. */
function linesOf(graph: Graph, places: readonly NamePlace[]): string[] {
  const inTests = ({ file }: NamePlace) => Number(isTest(graph, file));
  const sorted = [...places].sort((a, b) => inTests(a) - inTests(b));
  return sorted.slice(0, NAMED_LINES).map(({ file, line }) => `${graph.tables.files[file].path}:${line}`);
}

/**
 * Finds lines elsewhere that have the names of nodes and may use them; of nodes with known uses (`isUsed`) only lines of pages whose code is
 * not read. `named`: the first of them, none for a name in very many files. `mark`: why an attribute, or a name that code makes, may have the
 * nodes used.
 */
export async function linesNaming(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  prepared: PreparedGraph,
  { nodes, isUsed }: { nodes: readonly number[]; isUsed: boolean },
): Promise<{ named: string[]; mark?: string }> {
  const { graph } = prepared;
  const own = new Set(nodes.map((node) => graph.tables.files[graph.fileOf(node)].language));
  const isPage = ({ language }: { language: string }) => [...own].some((id) => isUnreadPage(language, id));
  if (isUsed && !graph.tables.files.some(isPage)) return { named: [] };
  const { placesNaming } = await import('../../session/graph/text-uses.js');
  const { places, marks } = await placesNaming(session, prepared, { nodes, signal });
  const known = [...places.values()]
    .flatMap((each) => each ?? [])
    .filter(({ file }) => !isUsed || isPage(graph.tables.files[file]));
  const [mark] = marks.values();
  return { named: [...new Set(linesOf(prepared.graph, known))], ...(mark !== undefined && { mark }) };
}

/** Workflows: only their service reads their keys, so that a word such as `env` elsewhere means none of them. */
const RUN_BY_SERVICE = /^\.(?:github|gitea|forgejo)\/workflows\/[^/]+$/;

/**
 * Doubts or raises low and unknown risks in `impacts`, by node, where text has the name of the node: strings, templates and configuration use
 * code without an edge. Changes `risk` of the impacts in place.
 */
export async function doubtLowRisks(
  { session, signal }: Pick<Asker, 'session' | 'signal'>,
  prepared: PreparedGraph,
  impacts: ReadonlyMap<number, Impact>,
): Promise<void> {
  const isDoubtful = ({ risk, affected }: Impact) =>
    risk.level === 'low' || (risk.level === 'unknown' && affected === 0);
  const { graph } = prepared;
  const doubtful = [...impacts].filter(([, impact]) => isDoubtful(impact)).map(([node]) => node);
  const nodes = doubtful.filter((node) => !RUN_BY_SERVICE.test(graph.path(node)));
  if (nodes.length === 0) return;
  const { isUseOf, placesNaming } = await import('../../session/graph/text-uses.js');
  const { doubted } = await import('../../graph/query/impact.js');
  const found = await placesNaming(session, prepared, { nodes, signal });
  for (const [node, mark] of found.marks) {
    const impact = impacts.get(node);
    if (impact?.affected === 0) impact.risk = doubted(impact.risk, [mark]);
  }
  for (const [node, all] of found.places) {
    const impact = impacts.get(node);
    const places =
      placesInReach(graph, node, all)?.filter(({ file }) => isTestCode(graph, node) || !isTest(graph, file)) ?? null;
    if (impact === undefined || places?.length === 0) continue;
    if (places === null) {
      impact.risk = { ...doubted(impact.risk, ['too many files have its name to read them']), named: [] };
      continue;
    }
    const uses = places.filter((place) => isUseOf(graph, node, place));
    const named = linesOf(graph, uses.length > 0 ? uses : places);
    const { risk } = impact;
    if (uses.length > 0) impact.risk = { ...risk, level: 'medium', reasons: [usedBy(uses), ...risk.reasons], named };
    else impact.risk = { ...doubted(risk, areCounted(graph, node, places) ? [] : [namedBy(places)]), named };
  }
}

/** A symbol that no other file can name is not meant by an equal name there. */
function placesInReach(graph: Graph, node: number, places: readonly NamePlace[] | null): readonly NamePlace[] | null {
  return isHidden(graph, node) ? (places ?? []).filter(({ file }) => file === graph.fileOf(node)) : places;
}

/** Is each of the lines one of a use that leads nowhere? Those were counted. */
function areCounted(graph: Graph, node: number, places: readonly NamePlace[]): boolean {
  const { edgeLine, edgeSpan } = graph.tables;
  const uses = possibleUses(graph, node);
  const isOf = (edge: number, { file, line }: NamePlace) =>
    graph.fileOf(graph.source(edge)) === file && line >= edgeLine[edge] && line <= edgeLine[edge] + edgeSpan[edge];
  return places.every((place) => uses.some((edge) => isOf(edge, place)));
}

const elsewhere = ({ length }: readonly NamePlace[]): string => `${formatCount(length, 'line')} elsewhere`;
const usedBy = (uses: readonly NamePlace[]): string =>
  `${elsewhere(uses)} ${uses.length === 1 ? 'uses' : 'use'} it by its name`;
const namedBy = (places: readonly NamePlace[]): string =>
  `${elsewhere(places)} ${places.length === 1 ? 'has' : 'have'} its name`;

/** Finds tests that are known to have run code, for `impactOf`; undefined in a repository without such evidence. */
export async function ranBy({ repository, objects }: Session): Promise<ImpactOptions['ran']> {
  // The name of the kind is written out: the table of kinds would be one more module.
  if (!mayHaveRefs(repository, [`${NOTES_PREFIX}/evidence`])) return undefined;
  const { readEvidence, ranTests } = await import('./evidence.js');
  const { evidence } = await readEvidence({ repository, objects });
  return (graph, nodes) => ranTests(graph, nodes, evidence);
}
