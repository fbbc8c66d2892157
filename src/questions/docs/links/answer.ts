/** Answers `docs links`. */
import type { Documented, Link } from '../../../documents/resolve.js';
import { Resolver } from '../../../documents/resolve.js';
import { cut, placeOf } from '../../../graph/query/place.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { readDocuments } from '../../../session/documents/read-documents.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../../graph/candidates/output.js';
import { ambiguous, prepareGraph } from '../../graph/snapshot-graph.js';
import { LISTED } from '../limits.js';
import { linkOf } from '../mention.js';
import { mentionsOfNodes } from '../mentioned.js';
import type { DocsLinksDocument } from './output.js';
import type { LinksValues } from './question.js';

/** Throws BAD_ARGUMENT for a name that nothing has. */
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
  const mentionedIn = mentionsOfNodes(resolver, documents, nodes).filter(({ link }) => isSure(link));
  return {
    ...{ ...header, target, others, alternatives },
    definitions: nodes.map((node) => placeOf(graph, node)),
    documents: { read: documents.length, leftOut },
    mentions: cut(mentions, limit),
    mentionedIn: cut(
      mentionedIn.map(({ document, link }) => shown(document, link)),
      limit,
    ),
  };
}
