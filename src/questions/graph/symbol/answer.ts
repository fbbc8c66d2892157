/** Answers `graph symbol`: everything about one definition. */
import { SocraticodeError } from '../../../base/errors.js';
import { firstLine, signatureText } from '../../../graph/query/signatures.js';
import { resolveTarget } from '../../../graph/query/target.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import type { Asker } from '../../asker.js';
import type { GraphCandidates } from '../candidates/output.js';
import { LISTED } from '../limits.js';
import { ambiguous, type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';
import { secondLook } from './certainty.js';
import { describeSymbol } from './describe.js';
import type { GraphSymbolResponse } from './output.js';
import type { SymbolValues } from './question.js';

/** Throws BAD_ARGUMENT for a name that nothing has, and for a file. */
export async function answerSymbol(at: Asker, values: SymbolValues): Promise<GraphSymbolResponse | GraphCandidates> {
  const { name: target, file, limit } = values;
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return ambiguous(prepared, { target, ...found, limit });
  const { nodes, isFile, others, alternatives } = found;
  if (isFile) {
    throw new SocraticodeError('BAD_ARGUMENT', `${target} is no symbol but a file`, {
      hint: `Name a symbol in it, ${graph.path(nodes[0])}:NAME, or ask for its outline.`,
    });
  }
  const { definitions, ...facts } = describeSymbol(graph, nodes, limit ?? LISTED.symbol);
  const { signatures, doc, text, header: start } = await readDeclarations(at, prepared, nodes);
  const { noCallers } = facts;
  const checked =
    noCallers !== undefined && text !== null
      ? secondLook(noCallers, { text, header: start, name: graph.name(nodes[0]), ranges: definitions })
      : noCallers;
  return {
    ...{ ...header, target, others, alternatives },
    definitions: definitions.map((place, i) => ({ ...place, signature: signatures[i] ?? '' })),
    ...{ doc, ...facts },
    ...(checked !== undefined && { noCallers: checked }),
  };
}

interface Declarations {
  signatures: string[];
  /** First line of the comment, '' where there is none. */
  doc: string;
  /** Text of the whole file; null where its blob is missing. */
  text: string | null;
  /** Text of the first definition up to its body. */
  header: string;
}

const UNKNOWN: Declarations = { signatures: [], doc: '', text: null, header: '' };

/** Reads how the definitions are written. */
async function readDeclarations(
  { session, signal }: Asker,
  prepared: GraphAndHeader,
  nodes: readonly number[],
): Promise<Declarations> {
  const { graph } = prepared;
  const { path, oid } = graph.tables.files[graph.fileOf(nodes[0])];
  const source = await openFacts(session, prepared, { count: 1, signal });
  try {
    const [facts, bytes] = [await source.facts({ oid, path }), await source.bytes(oid)];
    if (facts === null || bytes === null) return UNKNOWN;
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
