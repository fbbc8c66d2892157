/**
 * Small graphs written down as literals. Files list their symbols, `[kind] [local] Qualified.name`, containers before their
 * members; `local` ones are not exported. The symbol with index i starts at line `LINES_A_SYMBOL` * i + 1.
 */
import { SYMBOL_KINDS, type SymbolKind } from '../../src/extract/facts.js';
import { Graph } from '../../src/graph/graph.js';
import {
  EDGE_KINDS,
  type EdgeKind,
  EVIDENCE_TIERS,
  type EvidenceTier,
  type FileState,
  type GraphFile,
  type GraphTables,
} from '../../src/graph/tables.js';

export const LINES_A_SYMBOL = 10;

export interface LiteralFile {
  symbols?: readonly string[];
  /** Default: by the name's extension. */
  language?: string;
  state?: FileState;
  lines?: number;
}

export interface LiteralEdge {
  /** `a.ts` (the file's top level) or `a.ts:Cart.total`. */
  from: string;
  /** Absent: it leads nowhere. */
  to?: string;
  /** Default: `import` from file to file, else `call`. */
  kind?: EdgeKind;
  /** Default: `path`, `same-file` or `imported`; `unresolved` where it leads nowhere. */
  tier?: EvidenceTier;
  /** Default: the second line of where it stands. */
  line?: number;
  span?: number;
  /** Default: the target's last name; of imports its path. */
  name?: string;
  receiver?: string;
  literal?: string;
}

export interface LiteralGraph {
  files: Readonly<Record<string, readonly string[] | LiteralFile>>;
  /** Objects, or `a.ts:run -> b.ts:Cart.total` with an optional kind behind it: `a.ts:Cart -> b.ts:Base extends`. */
  edges?: readonly (string | LiteralEdge)[];
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: 'typescript',
  js: 'javascript',
  py: 'python',
  java: 'java',
  go: 'go',
  rb: 'ruby',
  rs: 'rust',
  md: 'markdown',
  json: 'json',
};

export function graphOf(literal: LiteralGraph): Graph {
  return new Graph(tablesOf(literal));
}

/** The node that `a.ts` or `a.ts:Cart.total` stands for; of several the first. Throws if there is none. */
export function nodeAt(graph: Graph, place: string): number {
  const [path, symbol] = place.split(':');
  const file = graph.findFile(path);
  if (file < 0) throw new Error(`no file ${path}`);
  const first = graph.fileNode(file);
  if (symbol === undefined) return first;
  for (let node = first + 1; node < graph.tables.nodeBase[file + 1]; node++)
    if (graph.qualifiedName(node) === symbol) return node;
  throw new Error(`no symbol ${place}`);
}

/** `a.ts:Cart.total` of a node. */
export function placeOf(graph: Graph, node: number): string {
  return graph.isFile(node) ? graph.path(node) : `${graph.path(node)}:${graph.qualifiedName(node)}`;
}

export function tablesOf({ files, edges = [] }: LiteralGraph): GraphTables {
  const pool = new Map<string, number>();
  const intern = (text: string): number => {
    const known = pool.get(text);
    if (known !== undefined) return known;
    pool.set(text, pool.size);
    return pool.size - 1;
  };
  intern('');
  const nodes: { name: number; kind: number; exported: boolean; container: number; start: number; end: number }[] = [];
  const numbers = new Map<string, number>();
  const listed: GraphFile[] = [];
  const nodeBase: number[] = [];
  for (const path of Object.keys(files).sort()) {
    const given = files[path];
    const file: LiteralFile = 'length' in given ? { symbols: given as readonly string[] } : (given as LiteralFile);
    const symbols = (file.symbols ?? []).map(parseSymbol);
    const base = nodes.length;
    const language = file.language ?? LANGUAGES[path.split('.').pop() ?? ''] ?? 'text';
    const oid = listed.length.toString(16).padStart(40, '0');
    listed.push({ path, oid, language, state: file.state ?? 'linked' });
    nodeBase.push(base);
    const lines = file.lines ?? Math.max(1, symbols.length) * LINES_A_SYMBOL;
    nodes.push({ name: intern(path), kind: 0, exported: false, container: -1, start: 1, end: lines });
    numbers.set(path, base);
    for (const [i, symbol] of symbols.entries()) {
      const owner = symbol.path.slice(0, -1).join('.');
      const container = owner === '' ? base : numbers.get(`${path}:${owner}`);
      if (container === undefined) throw new Error(`${path}: ${owner} must stand before its members`);
      const isOwner = symbols.some(({ path: other }) => other.slice(0, -1).join('.') === symbol.path.join('.'));
      const kind = symbol.kind ?? (isOwner ? 'class' : owner === '' ? 'function' : 'method');
      const start = i * LINES_A_SYMBOL + 1;
      const name = intern(symbol.path[symbol.path.length - 1]);
      const end = start + LINES_A_SYMBOL - 2;
      nodes.push({ name, kind: SYMBOL_KINDS.indexOf(kind) + 1, exported: !symbol.local, container, start, end });
      for (let at = container; at > base; at = nodes[at].container) nodes[at].end = end;
      const key = `${path}:${symbol.path.join('.')}`;
      if (!numbers.has(key)) numbers.set(key, nodes.length - 1);
    }
  }
  nodeBase.push(nodes.length);

  const numberOf = (place: string): number => {
    const node = numbers.get(place);
    if (node === undefined) throw new Error(`no such node: ${place}`);
    return node;
  };
  const linked = edges.map((edge) => {
    const e = typeof edge === 'string' ? parseEdge(edge) : edge;
    const from = numberOf(e.from);
    const to = e.to === undefined ? -1 : numberOf(e.to);
    const betweenFiles = nodes[from].kind === 0 && to >= 0 && nodes[to].kind === 0;
    const sameFile = e.to !== undefined && e.to.split(':')[0] === e.from.split(':')[0];
    const tier = e.tier ?? (to < 0 ? 'unresolved' : betweenFiles ? 'path' : sameFile ? 'same-file' : 'imported');
    const last = (e.to ?? '').split(':').pop() ?? '';
    const name = e.name ?? (betweenFiles ? last : (last.split('.').pop() ?? ''));
    const { kind = betweenFiles ? 'import' : 'call', span = 0, receiver = '', literal = '' } = e;
    return { from, to, kind, tier, line: e.line ?? nodes[from].start + 1, span, name, receiver, literal };
  });
  linked.sort((a, b) => a.from - b.from || a.line - b.line);
  const edgeBase = new Uint32Array(nodes.length + 1);
  for (const { from } of linked) edgeBase[from + 1]++;
  for (let i = 0; i < nodes.length; i++) edgeBase[i + 1] += edgeBase[i];
  return {
    files: listed,
    nodeBase: Uint32Array.from(nodeBase),
    nodeName: Uint32Array.from(nodes, ({ name }) => name),
    nodeKind: Uint8Array.from(nodes, ({ kind }) => kind),
    nodeFlags: Uint8Array.from(nodes, ({ exported }) => (exported ? 1 : 0)),
    nodeParameters: new Uint32Array(0),
    nodeContainer: Int32Array.from(nodes, ({ container }) => container),
    nodeOwner: new Int32Array(0),
    nodeStartLine: Uint32Array.from(nodes, ({ start }) => start),
    nodeEndLine: Uint32Array.from(nodes, ({ end }) => end),
    nodeMoniker: new Uint32Array(0),
    edgeBase,
    edgeTo: Int32Array.from(linked, ({ to }) => to),
    edgeKind: Uint8Array.from(linked, ({ kind }) => EDGE_KINDS.indexOf(kind)),
    edgeTier: Uint8Array.from(linked, ({ tier }) => EVIDENCE_TIERS.indexOf(tier)),
    edgeLine: Uint32Array.from(linked, ({ line }) => line),
    edgeSpan: Uint16Array.from(linked, ({ span }) => span),
    edgeName: Uint32Array.from(linked, ({ name }) => intern(name)),
    edgeReceiver: Uint32Array.from(linked, ({ receiver }) => intern(receiver)),
    edgeLiteral: Uint32Array.from(linked, ({ literal }) => intern(literal)),
    strings: [...pool.keys()],
  };
}

function parseSymbol(text: string): { kind: SymbolKind | null; local: boolean; path: string[] } {
  const words = text.split(' ');
  const path = (words.pop() ?? '').split('.');
  const kind = words.find((word): word is SymbolKind => (SYMBOL_KINDS as readonly string[]).includes(word)) ?? null;
  return { kind, local: words.includes('local'), path };
}

function parseEdge(text: string): LiteralEdge {
  const match = /^(\S+) -> (\S+)(?: (\S+))?$/.exec(text);
  if (match === null) throw new Error(`not an edge: ${text}`);
  const [, from, to, kind] = match;
  return { from, to: to === '?' ? undefined : to, ...(kind && { kind: kind as EdgeKind }) };
}
