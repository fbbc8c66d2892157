/** Answers `docs links`. */
import { commentLinks, type Documented, type Link, Resolver } from '../../../documents/resolve.js';
import type { Graph } from '../../../graph/graph.js';
import { cut, placeOf } from '../../../graph/query/node-place.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { readDocuments } from '../../../session/documents.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../../graph/output.js';
import { ambiguous, prepareGraph } from '../../graph/snapshot-graph.js';
import { commentsOf, linkOf, mentionsInComments, mentionsOfNodes } from '../mentions.js';
import { type DocsLinksDocument, LISTED, type LinksValues } from './question.js';

/** True if the comment with the link belongs to one of the nodes, or to a symbol inside of one. */
function isAbout(graph: Graph, nodes: readonly number[], file: number, { mention }: Link): boolean {
  for (let at = graph.fileNode(file) + 1 + mention.section; ; at = graph.container(at)) {
    if (nodes.includes(at)) return true;
    if (graph.isFile(at)) return false;
  }
}

/** Throws BAD_ARGUMENT for an unknown name. */
export async function answerLinks(at: Asker, values: LinksValues): Promise<DocsLinksDocument | GraphCandidates> {
  const { target, file, limit = LISTED.links, minConfidence } = values;
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit: values.limit });
  const { nodes, others, alternatives } = found;
  const { documents, leftOut, published } = await readDocuments(at.session, prepared);
  const resolver = new Resolver(graph, documents, published);
  const isSure = ({ confidence }: Link) => confidence >= minConfidence;
  const shown = (document: Documented, link: Link) => linkOf(graph, document, link);
  const own = documents.filter(({ path }) => nodes.some((node) => graph.isFile(node) && graph.path(node) === path));
  const mentions = own.flatMap((document) =>
    resolver
      .links(document)
      .filter(isSure)
      .map((link) => shown(document, link)),
  );
  const requested = new Set(nodes.map((node) => graph.fileOf(node)));
  const comments = await commentsOf(at, prepared, [...requested]);
  const said = comments.flatMap((document) =>
    commentLinks(resolver, document)
      .filter((link) => isSure(link) && isAbout(graph, nodes, graph.findFile(document.path), link))
      .map((link) => shown(document, link)),
  );
  const inComments = await mentionsInComments(at, { prepared, resolver, nodes });
  const mentionedIn = [...mentionsOfNodes(resolver, documents, nodes), ...inComments.mentioned].filter(({ link }) =>
    isSure(link),
  );
  return {
    ...{ ...header, target, others, alternatives },
    definitions: nodes.map((node) => placeOf(graph, node)),
    documents: { read: documents.length, leftOut },
    comments: { read: inComments.read, leftOut: inComments.leftOut },
    mentions: cut([...mentions, ...said], limit),
    mentionedIn: cut(
      mentionedIn.map(({ document, link }) => shown(document, link)),
      limit,
    ),
  };
}
