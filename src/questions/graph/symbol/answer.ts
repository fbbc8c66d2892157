/** `graph symbol`: everything about one definition. */

import { SocraticodeError } from '../../../base/errors.js';
import { secondLook } from './certainty.js';
import { firstLine, signatureText } from '../../../graph/query/outline.js';
import { describeSymbol } from './describe.js';
import { resolveTarget } from '../../../graph/query/target.js';
import {
  ambiguous,
  type GraphQuestion,
  type GraphSource,
  type Prepared,
  prepareQuestion,
} from '../snapshot-graph.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import type { Session } from '../../../session/session.js';
import type { GraphCandidates, GraphSymbolResponse } from '../../../engine/contract.js';

export interface SymbolOptions extends GraphQuestion {
  name: string;
  file?: string;
}

const DEFAULT_LIMIT = 30;

/** Throws BAD_ARGUMENT for a name that nothing has. */
export async function runSymbol(
  session: Session,
  options: SymbolOptions,
  graphs?: GraphSource,
): Promise<GraphSymbolResponse | GraphCandidates> {
  const prepared = await prepareQuestion(session, options, graphs);
  const { graph, header, prefix } = prepared;
  const { name: target, file, limit, signal } = options;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, candidates: found.candidates, limit });
  if (found.isFile) {
    throw new SocraticodeError('BAD_ARGUMENT', `${target} is no symbol but a file`, {
      hint: `Name a symbol in it, ${graph.path(found.nodes[0])}:NAME, or ask for its outline.`,
    });
  }
  const { definitions, ...facts } = describeSymbol(graph, found.nodes, limit ?? DEFAULT_LIMIT);
  const {
    signatures,
    doc,
    text,
    header: start,
  } = await declarations(session, prepared, { nodes: found.nodes, signal });
  const declared = definitions.map((place, i) => ({ ...place, signature: signatures[i] ?? '' }));
  const { noCallers } = facts;
  const looked =
    noCallers !== undefined && text !== null
      ? secondLook(noCallers, { text, header: start, name: graph.name(found.nodes[0]), ranges: definitions })
      : noCallers;
  return {
    ...{ ...header, target, others: found.others, definitions: declared, doc, ...facts },
    ...(looked !== undefined && { noCallers: looked }),
  };
}

/** How the definitions are written, and the file's whole text; '' and null where that is not here. */
async function declarations(
  session: Session,
  prepared: Prepared,
  { nodes, signal }: { nodes: readonly number[]; signal?: AbortSignal },
): Promise<{ signatures: string[]; doc: string; text: string | null; header: string }> {
  const { graph } = prepared;
  const { path, oid } = graph.tables.files[graph.fileOf(nodes[0])];
  const source = await openFacts(session, prepared, { count: 1, signal });
  try {
    const [facts, bytes] = [await source.facts({ oid, path }), await source.bytes(oid)];
    if (facts === null || bytes === null) return { signatures: [], doc: '', text: null, header: '' };
    const first = graph.fileNode(graph.fileOf(nodes[0]));
    const symbols = nodes.map((node) => facts.symbols[node - first - 1]);
    const doc = symbols.find((symbol) => symbol?.doc)?.doc ?? null;
    return {
      signatures: symbols.map((symbol) => (symbol === undefined ? '' : signatureText(bytes, symbol))),
      doc: doc === null ? '' : firstLine(bytes.toString('utf8', doc.start, doc.end)),
      text: bytes.toString('utf8'),
      header: symbols[0] === undefined ? '' : bytes.toString('utf8', symbols[0].start, symbols[0].signature.end),
    };
  } finally {
    await source.close();
  }
}
