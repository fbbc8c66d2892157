/** Answers `graph symbol`: everything about one definition, or about several in turn. */
import { isSocraticodeError, SocraticodeError } from '../../../base/errors.js';
import type { Graph } from '../../../graph/graph.js';
import { describeSymbol, secondLook } from '../../../graph/query/describe-symbol.js';
import { cut } from '../../../graph/query/node-place.js';
import { firstLine, signatureText } from '../../../graph/query/signatures.js';
import { type Candidate, resolveTarget } from '../../../graph/query/target.js';
import { type BlobFactsSource, openFacts } from '../../../session/blob-facts.js';
import type { Session } from '../../../session/session.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import { notesOn, summariesOn } from '../../shown-knowledge.js';
import { asides, type Block, type Item, sectionOf, total } from '../../view.js';
import { LISTED, listedFor } from '../graph-question.js';
import {
  doubtText,
  lineList,
  linkedBlocks,
  memberUsesText,
  mentionedBlocks,
  namedPieces,
  noteBlocks,
  othersBlocks,
  placeColumns,
  problemBlocks,
  spaced,
  summaryBlocks,
  testItem,
  usesSection,
} from '../graph-text.js';
import type { GraphCandidates, LinkedUses } from '../output.js';
import { ambiguous, askGraph, type GraphAndHeader, linesNaming, mentionsIn, parseErrorsAt } from '../snapshot-graph.js';
import type {
  GraphSeveralSymbols,
  GraphSymbolResponse,
  SymbolAnswer,
  SymbolProblem,
  SymbolValues,
} from './question.js';

/** Throws BAD_ARGUMENT for a single name that is unknown or a file. */
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
  const look = {
    session: at.session,
    signal: at.signal,
    prepared,
    source,
    file: values.file,
    limit,
    linked,
    isOnly: names.length === 1,
  };
  try {
    if (names.length > 1) {
      const all = await answerEach(look, names);
      const shown = all.symbols.flatMap(({ definitions }) => definitions);
      return { ...header, ...errorsAt(prepared, shown), ...all, ...(await annotationsOf(at, values, shown)) };
    }
    const answered = await answerOne(look, names[0]);
    if ('candidates' in answered) return ambiguous(prepared, { ...answered, limit: values.limit });
    const errors = errorsAt(prepared, answered.definitions);
    return { ...header, ...errors, ...answered, ...(await annotationsOf(at, values, answered.definitions)) };
  } finally {
    await source.close();
  }
}

function errorsAt({ graph }: GraphAndHeader, definitions: SymbolAnswer['definitions']) {
  return parseErrorsAt(
    graph,
    definitions.map(({ path }) => graph.fileNode(graph.findFile(path))),
  );
}

/** Notes and summaries about the definitions, by people, agents and models. */
async function annotationsOf(at: Asker, values: SymbolValues, definitions: SymbolAnswer['definitions']) {
  return { ...(await summariesOn(at, values, definitions)), ...(await notesOn(at, values, definitions)) };
}

/** Means to look names up. */
interface Lookup {
  session: Session;
  signal: AbortSignal;
  prepared: GraphAndHeader;
  source: BlobFactsSource;
  file: string | undefined;
  /** Maximum number of entries of each list. */
  limit: number;
  /** Is no other name asked for? Lines with a name are not looked for beside others. */
  isOnly: boolean;
  /** Users in linked repositories; null unless requested. */
  linked: ((prepared: GraphAndHeader, nodes: readonly number[]) => Promise<LinkedUses>) | null;
}

async function linkedLook(at: Asker, limit: number): Promise<NonNullable<Lookup['linked']>> {
  const { linkedUsesOf } = await import('../sibling-uses.js');
  return (prepared, nodes) => linkedUsesOf(at, { prepared, nodes, depth: 1, limit });
}

/** Answers each name. A name without an answer becomes a problem, so that the others have theirs. */
async function answerEach(
  look: Lookup,
  names: readonly string[],
): Promise<Pick<GraphSeveralSymbols, 'symbols' | 'symbolsLeftOut' | 'problems'>> {
  const symbols: SymbolAnswer[] = [];
  const problems: SymbolProblem[] = [];
  for (const target of names) {
    try {
      const answered = await answerOne(look, target);
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

/** Throws BAD_ARGUMENT for an unknown name, and for a file. */
async function answerOne(
  { session, signal, prepared, source, file, limit, linked, isOnly }: Lookup,
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
  // A verdict of no callers is doubted three times: by the text of its own file, by files that are not read yet, and by lines with its name.
  const { noCallers } = facts;
  const looked =
    noCallers !== undefined && text !== null
      ? secondLook(noCallers, { text, header: start, name: graph.name(nodes[0]), ranges: definitions })
      : noCallers;
  const checked = looked !== undefined && prepared.isPart ? { ...looked, ...NOT_ALL_READ } : looked;
  const isLookedUp = isOnly && facts.memberUses === undefined;
  const naming = isLookedUp
    ? await linesNaming({ session, signal }, prepared, { nodes, isUsed: isUsedAnyhow(facts) })
    : { named: [] };
  return {
    ...{ target, others, alternatives },
    definitions: definitions.map((place, i) => ({ ...place, signature: signatures[i] ?? '' })),
    ...{ doc, ...facts },
    ...(naming.named.length > 0 && { named: naming.named }),
    ...(checked !== undefined && { noCallers: withText(checked, naming) }),
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
  /** First line of the comment, '' without one. */
  doc: string;
  /** Text of the whole file; null if its blob is missing. */
  text: string | null;
  /** Text of the first definition up to its body. */
  header: string;
}

const UNKNOWN: Declarations = { signatures: [], doc: '', text: null, header: '' };

/** Reads the declarations of the definitions. */
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

export function symbolBlocks(response: GraphSymbolResponse | GraphSeveralSymbols, { pen }: { pen: Pen }): Block[] {
  const [first, ...others] = [...summaryBlocks(response.summaries), ...noteBlocks(response.notes)];
  return [
    ...('symbols' in response ? severalBlocks(response, pen) : blocksOf(response, pen)),
    ...(first === undefined ? [] : [{ ...first, isApart: true }, ...others]),
  ];
}

/** Separates symbols: empty lines already separate the lists of one. */
const SEPARATOR: Block = { say: ['---'], isApart: true };

function severalBlocks({ symbols, problems }: GraphSeveralSymbols, pen: Pen): Block[] {
  // Pages count symbols, so every list of a symbol begins at its first entry.
  const inside = { ...pen, skipped: 0 };
  // Earlier pages have the problems.
  const failed = pen.skipped ? [] : problems.map(problemBlocks);
  const all = [...symbols.map((symbol) => blocksOf(symbol, inside)), ...failed];
  return all.flatMap((blocks, i) => (i === 0 ? blocks : [SEPARATOR, ...blocks]));
}

function blocksOf(response: SymbolAnswer, pen: Pen): Block[] {
  const { callees, noCallers, tests } = response;
  return [
    ...heading(response),
    ...(noCallers === undefined ? callerBlocks(response, pen) : reasons(response, noCallers, pen)),
    sectionOf('calls', callees.resolved, calleeItem, {
      counted: (all) => `calls ${formatCount(all, 'symbol')}`,
    }),
    ...outside('outside', callees.external),
    ...outside('not resolved', callees.unresolved),
    sectionOf('inherits from', { list: response.parents, leftOut: 0 }, ({ name, use, place }) => [
      ...(place === null ? [name, { aside: 'outside' }] : placeColumns(place)),
      { aside: use },
    ]),
    sectionOf('subtypes', response.subtypes, placeColumns, { counted: (all) => formatCount(all, 'subtype') }),
    sectionOf('overrides', response.overrides, placeColumns),
    sectionOf('overridden by', response.overriddenBy, placeColumns),
    sectionOf('tests that reach it by known uses', tests, testItem, {
      counted: (all) => `${formatCount(all, 'test file')} reach${all === 1 ? 'es' : ''} it by known uses`,
    }),
    ...linkedBlocks(response.linked, pen),
    ...mentionedBlocks(response.mentionedIn, pen),
    ...othersBlocks(response),
  ];
}

function callerBlocks(response: SymbolAnswer, pen: Pen): Block[] {
  const { callers, definitions, named, otherUses, possibleCallers } = response;
  const name = definitions[0].symbol ?? definitions[0].path;
  const further = [
    ...(otherUses === 0 ? [] : [`  ${formatCount(otherUses, 'further use')} as a type, a value or a parent`]),
    ...(possibleCallers === 0
      ? []
      : [`  ${formatCount(possibleCallers, 'use')} of the name could not be resolved: ${pen.words.references(name)}`]),
  ];
  return [
    usesSection('called from', callers, {
      names: namesOf(response),
      counted: (all) => `called from ${formatCount(all, 'place')}`,
    }),
    ...asides(further),
    ...(named === undefined ? [] : [{ say: namedPieces(named, definitions, pen, true) }]),
  ];
}

function heading({ definitions, doc, decorators }: SymbolAnswer): Block[] {
  const declared = definitions.flatMap(({ path, startLine, endLine, symbol, kind, exported, signature }): Block[] => {
    const lines = endLine > startLine ? [`${startLine}-${endLine}`] : [startLine];
    const place = { path, line: startLine, lines };
    const columns = [place, { symbol }, { aside: `${kind}, ${exported ? 'exported' : 'not exported'}` }];
    return [{ say: spaced(columns) }, ...(signature === '' ? [] : [{ say: ['  ', { code: signature }] }])];
  });
  const decorated = decorators.length === 0 ? '' : `  decorated with ${decorators.join(', ')}`;
  return [...declared, ...asides([doc && `  ${doc}`, decorated].filter(Boolean))];
}

/** Names whose plain calls are shown without details. */
function namesOf({ definitions }: SymbolAnswer): Set<string> {
  return new Set(definitions.map(({ symbol }) => (symbol ?? '').replace(/^.*\./s, '')));
}

/** Is it used, though never called, and does that answer why there are no callers? */
const isUsedOtherwise = ({ otherUses, noCallers }: SymbolAnswer): boolean =>
  otherUses > 0 && (noCallers?.verdict === 'certain' || noCallers?.verdict === 'exported');

const isUsedAnyhow = ({
  callers,
  otherUses,
  possibleCallers,
}: Pick<SymbolAnswer, 'callers' | 'otherUses' | 'possibleCallers'>): boolean =>
  total(callers) + otherUses + possibleCallers > 0;

type NoCallers = NonNullable<SymbolAnswer['noCallers']>;

/** Makes a certain verdict an open one if lines elsewhere have the name: scripts of a page share their names, and text can be code. */
function withText(noCallers: NoCallers, { named, mark }: { named: readonly string[]; mark?: string }): NoCallers {
  const doubt = mark ?? (named.length > 0 ? 'its name stands where no use of it is known' : undefined);
  if (doubt === undefined || noCallers.verdict !== 'certain') return noCallers;
  return { ...noCallers, verdict: 'unresolved-uses', reason: doubt };
}

function reasons(response: SymbolAnswer, { verdict, reason, possible }: NoCallers, pen: Pen): Block[] {
  const { memberUses, named, definitions, otherUses } = response;
  const sure: Record<string, string> = {
    certain: 'no callers, certainly',
    degraded: 'no callers are known',
    'unresolved-uses': 'no callers are known',
  };
  const head = `${sure[verdict] ?? 'no callers in this repository'}: ${reason}`;
  const others = `${formatCount(otherUses, 'use')} as a type, a value or a parent, and no call`;
  const isUsed = isUsedOtherwise(response);
  const why = memberUses !== undefined ? memberUsesText(memberUses) : isUsed ? others : head;
  const further = `  ${formatCount(otherUses, 'further use')} as a type, a value or a parent`;
  return [
    { say: [why], isApart: true },
    usesSection('uses of its name', possible, { isBare: true }),
    ...(named === undefined ? [] : [{ say: namedPieces(named, definitions, pen, isUsedAnyhow(response)) }]),
    ...asides(otherUses > 0 && !isUsed ? [further] : []),
  ];
}

function calleeItem(callee: SymbolAnswer['callees']['resolved']['list'][number]): Item {
  const how = callee.use === 'call' ? '' : `${callee.use}, `;
  return [...placeColumns(callee), { aside: `${how}line ${lineList(callee.lines)}` }, { aside: doubtText(callee) }];
}

function outside(title: string, { list, leftOut }: SymbolAnswer['callees']['external']): Block[] {
  if (list.length === 0) return [];
  const names = list.flatMap(({ text, lines }, i) => [i === 0 ? '' : ', ', { code: text }, ' ', { number: lines[0] }]);
  return [{ say: [`${title}: `, ...names, leftOut > 0 ? ` and ${leftOut} more` : ''], isApart: true }];
}
