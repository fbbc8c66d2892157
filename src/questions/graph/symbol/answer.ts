/** Answers `graph symbol`: everything about one definition, or about several in turn. */
import { isSocraticodeError, SocraticodeError } from '../../../base/errors.js';
import type { Graph } from '../../../graph/graph.js';
import type { Candidate } from '../../../graph/query/names.js';
import { cut } from '../../../graph/query/place.js';
import { firstLine, signatureText } from '../../../graph/query/signatures.js';
import { resolveTarget } from '../../../graph/query/target.js';
import type { BlobFactsSource } from '../../../session/blob-facts.js';
import { openFacts } from '../../../session/graph/facts-source.js';
import type { Session } from '../../../session/session.js';
import type { Asker } from '../../asker.js';
import { notesOn } from '../../note/mention/mention.js';
import { summariesOn } from '../../summarize/told/told.js';
import type { GraphCandidates } from '../candidates/output.js';
import { LISTED, listedFor } from '../limits.js';
import type { LinkedUses } from '../linked/output.js';
import { ambiguous, askGraph, type GraphAndHeader, mentionsIn } from '../snapshot-graph.js';
import { secondLook } from './certainty.js';
import { describeSymbol } from './describe.js';
import type { GraphSeveralSymbols, GraphSymbolResponse, SymbolAnswer, SymbolProblem } from './output.js';
import type { SymbolValues } from './question.js';

/** Throws BAD_ARGUMENT for a single name that nothing has, or that is a file. */
export function answerSymbol(
  at: Asker,
  values: SymbolValues,
): Promise<GraphSymbolResponse | GraphSeveralSymbols | GraphCandidates> {
  return askGraph(at, values, (prepared) => symbolsIn(at, prepared, values));
}

async function symbolsIn(
  at: Asker,
  prepared: GraphAndHeader,
  values: SymbolValues,
): Promise<GraphSymbolResponse | GraphSeveralSymbols | GraphCandidates> {
  const { header } = prepared;
  const names = [...new Set(values.names)];
  const source = await openFacts(at.session, prepared, { count: names.length, signal: at.signal });
  const limit = values.limit ?? listedFor(names);
  const linked = values.linked ? await linkedLook(at, limit) : null;
  const look = { session: at.session, signal: at.signal, prepared, source, file: values.file, limit, linked };
  try {
    if (names.length > 1) {
      const all = await each(look, names);
      const shown = all.symbols.flatMap(({ definitions }) => definitions);
      return { ...header, ...all, ...(await toldOf(at, values, shown)) };
    }
    const answered = await one(look, names[0]);
    if ('candidates' in answered) return ambiguous(prepared, { ...answered, limit: values.limit });
    return { ...header, ...answered, ...(await toldOf(at, values, answered.definitions)) };
  } finally {
    await source.close();
  }
}

/** Words of people, agents and models about the definitions. */
async function toldOf(at: Asker, values: SymbolValues, definitions: SymbolAnswer['definitions']) {
  return { ...(await summariesOn(at, values, definitions)), ...(await notesOn(at, values, definitions)) };
}

/** Means to look names up. */
interface Lookup {
  session: Session;
  signal: AbortSignal;
  prepared: GraphAndHeader;
  source: BlobFactsSource;
  file: string | undefined;
  /** Entries of each list. */
  limit: number;
  /** Users in linked repositories; null unless they are asked for. */
  linked: ((prepared: GraphAndHeader, nodes: readonly number[]) => Promise<LinkedUses>) | null;
}

async function linkedLook(at: Asker, limit: number): Promise<NonNullable<Lookup['linked']>> {
  const { linkedUsesOf } = await import('../linked/uses.js');
  return (prepared, nodes) => linkedUsesOf(at, { prepared, nodes, depth: 1, limit });
}

/** A name that cannot be answered becomes a problem, so that the others are. */
async function each(
  look: Lookup,
  names: readonly string[],
): Promise<Pick<GraphSeveralSymbols, 'symbols' | 'symbolsLeftOut' | 'problems'>> {
  const symbols: SymbolAnswer[] = [];
  const problems: SymbolProblem[] = [];
  for (const target of names) {
    try {
      const answered = await one(look, target);
      if ('candidates' in answered) problems.push(ambiguity(answered));
      else symbols.push(answered);
    } catch (error) {
      if (!isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
      problems.push({ target, code: error.code, message: error.message, hint: error.hint });
    }
  }
  return { symbols, symbolsLeftOut: 0, problems };
}

function ambiguity({ target, candidates }: Ambiguous): SymbolProblem {
  const hint = candidates.length === 0 ? '' : `Name one by its place: ${candidates[0].pick}`;
  const message = `${target} is ambiguous`;
  return { target, code: 'BAD_ARGUMENT', message, hint, candidates: cut(candidates, LISTED.candidatesOfSeveral) };
}

interface Ambiguous {
  target: string;
  candidates: readonly Candidate[];
}

/** Throws BAD_ARGUMENT for a name that nothing has, and for a file. */
async function one(
  { session, signal, prepared, source, file, limit, linked }: Lookup,
  target: string,
): Promise<SymbolAnswer | Ambiguous> {
  const { graph, prefix } = prepared;
  const found = resolveTarget(graph, target, { file, prefix });
  if ('candidates' in found) return { target, candidates: found.candidates };
  const { nodes, isFile, others, alternatives } = found;
  if (isFile) {
    throw new SocraticodeError('BAD_ARGUMENT', `${target} is no symbol but a file`, {
      hint: `Name a symbol in it, ${graph.path(nodes[0])}:NAME, or ask for its outline.`,
    });
  }
  const { definitions, ...facts } = describeSymbol(graph, nodes, limit);
  const { signatures, doc, text, header: start } = await readDeclarations(source, graph, nodes);
  const { noCallers } = facts;
  const looked =
    noCallers !== undefined && text !== null
      ? secondLook(noCallers, { text, header: start, name: graph.name(nodes[0]), ranges: definitions })
      : noCallers;
  const checked = looked !== undefined && prepared.isPart ? { ...looked, ...NOT_ALL_READ } : looked;
  return {
    ...{ target, others, alternatives },
    definitions: definitions.map((place, i) => ({ ...place, signature: signatures[i] ?? '' })),
    ...{ doc, ...facts },
    ...(checked !== undefined && { noCallers: checked }),
    ...(await mentionsIn({ session, signal }, prepared, nodes)),
    ...(linked !== null && { linked: await linked(prepared, nodes) }),
  };
}

const NOT_ALL_READ = {
  verdict: 'degraded',
  reason: 'not all files are read yet, and those that are not may call it',
} as const;

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
  source: BlobFactsSource,
  graph: Graph,
  nodes: readonly number[],
): Promise<Declarations> {
  const { path, oid } = graph.tables.files[graph.fileOf(nodes[0])];
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
}
