/** How often documents mention something, for answers about code: one line. */
import { type Documented, Resolver } from '../../documents/resolve.js';
import type { Graph } from '../../graph/graph.js';
import { readDocuments } from '../../session/documents/read-documents.js';
import type { PreparedGraph } from '../../session/graph/prepare.js';
import type { Session } from '../../session/session.js';
import type { MentionedIn } from '../graph/output-parts.js';
import { mentionsOfNodes } from './mentioned.js';

/** Places that are named; the others are counted. */
const NAMED = 3;

interface Opened {
  documents: readonly Documented[];
  resolver: Resolver;
}

/** A graph stands for the documents of its snapshot, since it has their blobs. */
const OPEN = new WeakMap<Graph, Opened>();

async function open(session: Session, prepared: Pick<PreparedGraph, 'graph' | 'objects'>): Promise<Opened> {
  const { graph } = prepared;
  const known = OPEN.get(graph);
  if (known !== undefined) return known;
  const { documents, published } = await readDocuments(session, prepared);
  const opened = { documents, resolver: new Resolver(graph, documents, published) };
  OPEN.set(graph, opened);
  return opened;
}

/** Undefined where no document mentions one of the nodes, or a member of one. */
export async function mentionedIn(
  session: Session,
  prepared: Pick<PreparedGraph, 'graph' | 'objects'>,
  nodes: readonly number[],
): Promise<MentionedIn | undefined> {
  const { documents, resolver } = await open(session, prepared);
  const found = mentionsOfNodes(resolver, documents, nodes);
  if (found.length === 0) return undefined;
  const places = new Map(
    found.map(({ document: { path }, link }) => [path, { path, line: link.mention.line }] as const).reverse(),
  );
  return { mentions: found.length, documents: places.size, first: [...places.values()].reverse().slice(0, NAMED) };
}
