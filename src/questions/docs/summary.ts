/** How often documents mention something, for answers about code: one line. */
import { type Documented, Resolver } from '../../documents/resolve.js';
import type { Graph } from '../../graph/graph.js';
import { readDocuments } from '../../session/documents/read-documents.js';
import type { PreparedGraph } from '../../session/graph/prepare.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import type { MentionedIn } from '../graph/output-parts.js';
import { mentionsInComments } from './comments.js';
import { type Mentioned, mentionsOfNodes } from './mentioned.js';

/** Places that are named; the others are counted. */
const NAMED = 3;
/** Of more changed symbols comments are not looked up: a change of all code is mentioned everywhere. */
const MAX_NODES = 20;
/** Files whose comments are read: one takes a millisecond. */
const MAX_FILES = 20;

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

/** Undefined where no document mentions one of the nodes, or a member of one, and no doc comment of another file one of the nodes. */
export async function mentionedIn(
  at: Pick<Asker, 'session' | 'signal'>,
  prepared: Prepared,
  nodes: readonly number[],
): Promise<MentionedIn | undefined> {
  const { documents, resolver } = await open(at.session, prepared);
  const comments = await inComments(at, { prepared, resolver, nodes });
  const { mentions, files, first } = placesOf(mentionsOfNodes(resolver, documents, nodes));
  if (mentions === 0 && comments === undefined) return undefined;
  return { mentions, documents: files, first, ...(comments !== undefined && { comments }) };
}

type Prepared = Pick<PreparedGraph, 'graph' | 'objects' | 'origin' | 'overlay'>;

function placesOf(found: readonly Mentioned[]) {
  const places = new Map(
    found.map(({ document: { path }, link }) => [path, { path, line: link.mention.line }] as const).reverse(),
  );
  return { mentions: found.length, files: places.size, first: [...places.values()].reverse().slice(0, NAMED) };
}

async function inComments(
  at: Pick<Asker, 'session' | 'signal'>,
  { prepared, resolver, nodes }: { prepared: Prepared; resolver: Resolver; nodes: readonly number[] },
) {
  if (nodes.length > MAX_NODES) return undefined;
  const { graph } = prepared;
  const own = new Set(nodes.map((node) => graph.path(node)));
  const { mentioned, leftOut } = await mentionsInComments(at, { prepared, resolver, nodes, most: MAX_FILES });
  const places = placesOf(mentioned.filter(({ document: { path } }) => !own.has(path)));
  return places.mentions === 0 ? undefined : { ...places, unread: leftOut };
}
