/** First step of every question about the graph: prepares the graph of its snapshot, and the header of the answer. */

import type { Candidate } from '../../graph/query/names.js';
import type { Prefix } from '../../graph/query/paths.js';
import { cut } from '../../graph/query/place.js';
import type { GraphOptions, GraphPreparer, PreparedGraph } from '../../session/graph/prepare.js';
import { prefixOf } from '../../session/prefix.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { GraphCandidates } from './candidates/output.js';
import { LISTED } from './limits.js';
import type { MentionedIn } from './output-parts.js';

export interface GraphQuestion extends GraphOptions {
  /** Directory that paths begin at; default: the one that the process runs in. */
  directory?: string;
}

/** Source of linked graphs: one `GraphPreparer` a session, since each keeps tens of megabytes. */
export type GraphSource = Pick<GraphPreparer, 'prepare' | 'known' | 'forget'>;

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

/** `graphs`: source of linked graphs; default: made for this session. Throws UNKNOWN_REF and what indexing throws. */
export async function prepareQuestion(
  session: Session,
  question: GraphQuestion,
  graphs?: GraphSource,
): Promise<GraphAndHeader> {
  const source = graphs ?? (await sourceOf(session));
  const { ref, committed, signal } = question;
  const prepared = await source.prepare({ ref, committed, signal });
  const { origin, coverage, dirty, overlay } = prepared;
  const { resolved } = origin;
  return {
    ...prepared,
    header: { schemaVersion: 1, ref: resolved.ref, commit: resolved.commit, coverage, dirty, overlay },
    prefix: prefixOf(session, question.directory),
  };
}

/** The graph of the snapshot that a question is about. Throws UNKNOWN_REF and what indexing throws. */
export async function prepareGraph(at: Asker, values: { ref?: string; committed?: boolean }): Promise<GraphAndHeader> {
  const { ref, committed } = values;
  const { session, signal, directory } = at;
  return prepareQuestion(session, { ref, committed, signal, directory }, await at.graphs());
}

/** A source of linked graphs for this session alone. */
export async function sourceOf(session: Session): Promise<GraphSource> {
  const { GraphPreparer } = await import('../../session/graph/prepare.js');
  return new GraphPreparer(session);
}

/** The answer where a name means several things. `limit`: as asked for. */
export function ambiguous(
  { header }: GraphAndHeader,
  { target, candidates, limit }: { target: string; candidates: readonly Candidate[]; limit: number | undefined },
): GraphCandidates {
  return { ...header, target, candidates: cut(candidates, limit ?? LISTED.candidates) };
}

/** Mentions of nodes in documents and in doc comments of other files, as a field of an answer. */
export async function mentionsIn(
  at: Pick<Asker, 'session' | 'signal'>,
  prepared: Pick<PreparedGraph, 'graph' | 'objects' | 'origin' | 'overlay'>,
  nodes: readonly number[],
): Promise<{ mentionedIn?: MentionedIn }> {
  if (nodes.length === 0) return {};
  const { mentionedIn } = await import('../docs/summary.js');
  const found = await mentionedIn(at, prepared, nodes);
  return found === undefined ? {} : { mentionedIn: found };
}
