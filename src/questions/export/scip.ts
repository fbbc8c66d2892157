/** `export` of a SCIP index: definitions, references and relations of a snapshot, for other programs. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writeOutput } from '../../base/atomic.js';
import { firstFrom, groupBy } from '../../base/lists.js';
import { packageVersion } from '../../base/runtime.js';
import type { BlobFacts, CodeSymbol, SymbolKind } from '../../extract/facts.js';
import { type Graph, UNKNOWN_RECEIVER } from '../../graph/graph.js';
import { firstOf } from '../../graph/query/overloads.js';
import { commentText, signatureText } from '../../graph/query/signatures.js';
import {
  CALL_KINDS,
  inheritEdges,
  interfacesOf,
  isFunction,
  isType,
  outgoing,
  overriddenBy,
} from '../../graph/query/uses.js';
import type { EdgeKind } from '../../graph/tables.js';
import { packageFinder, scipLanguage } from '../../languages/detect.js';
import { conventionsOf, languageOf } from '../../languages/registry.js';
import type { LexicalConventions } from '../../languages/roles/relations.js';
import {
  encodeDocument,
  encodeMetadata,
  formatDescriptor,
  formatPackage,
  OWN_TOOL,
  SCIP_COLUMNS,
  SCIP_KINDS,
  SCIP_ROLES,
  type ScipDocument,
  type ScipRange,
  type ScipRelationship,
  type ScipSuffix,
  type ScipSymbol,
} from '../../scip/index-file.js';
import { openFacts } from '../../session/blob-facts.js';
import { manifestsOf, readManifests } from '../../session/graph/sources.js';
import type { Asker } from '../asker.js';
import { type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import {
  alignUses,
  columnsOf,
  fileEdges,
  hasDocument,
  importedNames,
  isDescribed,
  isMemberAt,
  Lines,
  Occurrences,
  outsideOfProse,
  type Use,
  usesByLine,
  WORDS,
} from './occurrences.js';
import type { ScipExportReport } from './question.js';

/** Writes the index of a ref to `path`. Throws UNKNOWN_REF, DISK and what indexing throws. */
export async function exportScip(
  at: Asker,
  { path, ref = 'HEAD' }: { path: string; ref?: string },
): Promise<ScipExportReport> {
  const prepared = await prepareGraph(at, { ref });
  const file = resolve(at.directory ?? '.', path);
  const { parts, ...counts } = await makeIndex(at, prepared);
  const bytes = Buffer.concat(parts);
  writeOutput(file, bytes);
  const { commit, coverage } = prepared.header;
  return { schemaVersion: 1, ref: prepared.header.ref, commit, coverage, file, bytes: bytes.length, ...counts };
}

type Counts = Pick<
  ScipExportReport,
  'documents' | 'symbols' | 'definitions' | 'references' | 'relationships' | 'unplaced'
>;

async function makeIndex(at: Asker, prepared: GraphAndHeader): Promise<Counts & { parts: Uint8Array[] }> {
  const { session, signal } = at;
  const { graph, origin } = prepared;
  const { repository, objects } = session;
  const manifests = await readManifests(manifestsOf(await objects.list(origin.resolved.tree)), objects);
  const maker = new DocumentMaker(graph, new Monikers(graph, manifests));
  const tool = { name: OWN_TOOL, version: packageVersion(), arguments: [] };
  const projectRoot = pathToFileURL(repository.workTree ?? repository.gitDir).href;
  const parts = [encodeMetadata({ tool, projectRoot })];
  const counts = { documents: 0, symbols: 0, definitions: 0, references: 0, relationships: 0 };
  const files = [...graph.tables.files.entries()].filter(([, file]) => hasDocument(file));
  const lexical = await lexicalRules(new Set(files.map(([, { language }]) => language)));
  const source = await openFacts(session, prepared, { count: files.length, signal });
  try {
    const byPath = new Map(files.map(([file, { path }]) => [path, file]));
    const versions = files.map(([, { path, oid }]) => ({ path, oid }));
    await source.prefetch(versions, undefined, ({ path }, facts, bytes) => {
      const file = byPath.get(path);
      if (file === undefined || facts === null || bytes === null) return;
      const document = maker.make({ file, facts, bytes, lexical: lexical.get(graph.tables.files[file].language) });
      parts.push(encodeDocument(document));
      const definitions = document.occurrences.filter(({ roles }) => roles & SCIP_ROLES.definition).length;
      counts.documents++;
      counts.symbols += document.symbols.length;
      counts.definitions += definitions;
      counts.references += document.occurrences.length - definitions;
      counts.relationships += document.symbols.reduce((sum, { relationships }) => sum + relationships.length, 0);
    });
  } finally {
    await source.close();
  }
  return { parts, ...counts, unplaced: maker.unplaced };
}

/** Loads the conventions for strings and comments of each language. */
async function lexicalRules(languages: ReadonlySet<string>): Promise<Map<string, LexicalConventions>> {
  const found = new Map<string, LexicalConventions>();
  for (const id of languages) {
    const lexical = (await languageOf(id)?.rules?.())?.relations?.lexical;
    if (lexical !== undefined) found.set(id, lexical);
  }
  return found;
}

// Makes the SCIP document of a file from its facts, its text and the graph.

interface FileText {
  file: number;
  facts: BlobFacts;
  bytes: Buffer;
  /** Undefined if the language has no conventions for strings and comments. */
  lexical: LexicalConventions | undefined;
}

/** Kinds of edges that run or read their target; all others name a type or a parent. */
const READS: ReadonlySet<EdgeKind> = new Set<EdgeKind>([...CALL_KINDS, 'value', 'read']);

class DocumentMaker {
  /** Number of uses in the graph whose place was not found in the text. */
  unplaced = 0;

  constructor(
    private readonly graph: Graph,
    private readonly monikers: Monikers,
  ) {}

  make({ file, facts, bytes, lexical }: FileText): ScipDocument {
    const { path, language } = this.graph.tables.files[file];
    const lines = new Lines(bytes);
    const found = new Occurrences();
    const node = this.graph.fileNode(file);
    found.add([0, 0, 0, 0], this.monikers.of(node), SCIP_ROLES.definition);
    const names = this.addDefinitions(file, facts, { bytes, lines }, found);
    this.addUses(file, facts, { lines, lexical, names }, found);
    this.addImports(file, lines, found);
    return {
      path,
      language: scipLanguage(language),
      columns: SCIP_COLUMNS.utf16,
      occurrences: found.sorted(),
      symbols: this.symbols(file, facts, bytes),
    };
  }

  /** Adds all definitions; returns the places of their names as `line:column`. */
  private addDefinitions(
    file: number,
    facts: BlobFacts,
    { bytes, lines }: { bytes: Buffer; lines: Lines },
    found: Occurrences,
  ): Set<string> {
    const names = new Set<string>();
    const first = this.graph.fileNode(file) + 1;
    facts.symbols.forEach((symbol, i) => {
      const { nameStart, name } = symbol;
      const [line, column] = lines.place(nameStart);
      const isWritten = lines.text(line).startsWith(name, column);
      const end = isWritten ? column + name.length : column;
      names.add(`${line}:${column}`);
      // The name of a block that adds to a type is a use of the type.
      const roles = this.monikers.isAddition(first + i) ? 0 : SCIP_ROLES.definition;
      found.add([line, column, line, end], this.monikers.of(first + i), roles, enclosing(lines, symbol, bytes));
    });
    return names;
  }

  private addUses(
    file: number,
    facts: BlobFacts,
    { lines, lexical, names }: { lines: Lines; lexical: LexicalConventions | undefined; names: ReadonlySet<string> },
    found: Occurrences,
  ): void {
    const { graph } = this;
    const first = graph.fileNode(file);
    for (const [line, uses] of usesByLine(graph, file)) {
      const text = lines.text(line);
      for (const same of groupBy(uses, ({ name }) => name).values()) {
        const columns = columnsOf(text, same[0].name).filter((column) => !names.has(`${line}:${column}`));
        const code = lexical === undefined ? columns : outsideOfProse(text, columns, lexical);
        const candidates = code.length >= same.length ? code : columns;
        const owners = candidates.map((column) => first + 1 + innermost(facts.symbols, lines.offset(line, column)));
        this.addSame(text, same, new Map(candidates.map((column, i) => [column, owners[i]])), found);
      }
    }
  }

  /** Places uses of one name on a line at its columns, each given with the node around it. */
  private addSame(text: string, same: readonly Use[], columns: Map<number, number>, found: Occurrences): void {
    const keyOf = ({ from, receiver }: Use) => `${from} ${receiver === UNKNOWN_RECEIVER ? '?' : receiver !== ''}`;
    const groups = [...groupBy(same, keyOf).values()];
    const isUnknown = ([use]: readonly Use[]) => use.receiver === UNKNOWN_RECEIVER;
    // Uses with unknown receivers get the remaining places.
    for (const uses of [...groups.filter((it) => !isUnknown(it)), ...groups.filter(isUnknown)]) {
      const free = [...columns.keys()];
      const inside = free.filter((column) => columns.get(column) === uses[0].from);
      const fitting = inside.filter((column) => isMemberAt(text, column) === (uses[0].receiver !== ''));
      const places = [...(isUnknown(uses) ? [] : [fitting]), inside].find((some) => some.length >= uses.length) ?? free;
      const chosen = alignUses(text, uses, places);
      uses.forEach((use, i) => {
        this.addUse(use, chosen[i], found);
        columns.delete(chosen[i]);
      });
    }
  }

  private addUse({ edge, line, name }: Use, column: number, found: Occurrences): void {
    const { graph } = this;
    const to = graph.target(edge);
    if (to < 0 || !isDescribed(graph, to)) return;
    if (column < 0) {
      this.unplaced++;
      return;
    }
    const kind = graph.edgeKind(edge);
    // The name at a request is that of the client.
    if (kind === 'request') return;
    const role = kind === 'write' ? SCIP_ROLES.write : READS.has(kind) ? SCIP_ROLES.read : 0;
    found.add([line, column, line, column + name.length], this.monikers.of(to), role);
  }

  /** Adds targets of import specifiers, and gives names on import lines the meaning that other uses of the names have. */
  private addImports(file: number, lines: Lines, found: Occurrences): void {
    const { graph } = this;
    const resolved = importedNames(graph, file);
    for (const edges of groupBy(
      fileEdges(graph, file),
      (edge) => `${graph.edge(edge).startLine} ${graph.edge(edge).name}`,
    ).values()) {
      const { startLine, endLine, name } = graph.edge(edges[0]);
      const targets = new Set(edges.map((edge) => graph.target(edge)));
      for (let line = startLine - 1; line < endLine; line++) {
        const text = lines.text(line);
        const [column] = columnsOf(text, name).slice(-1);
        if (column !== undefined && targets.size === 1) {
          const [to] = targets;
          found.add([line, column, line, column + name.length], this.monikers.of(to), SCIP_ROLES.import);
        }
        for (const word of text.matchAll(WORDS)) {
          const to = resolved.get(word[0]);
          const isInName = column !== undefined && word.index >= column && word.index < column + name.length;
          if (to === undefined || to < 0 || isInName) continue;
          const range = [line, word.index, line, word.index + word[0].length] as const;
          found.add(range, this.monikers.of(to), SCIP_ROLES.import);
        }
      }
    }
  }

  private symbols(file: number, facts: BlobFacts, bytes: Buffer): ScipSymbol[] {
    const { graph, monikers } = this;
    const node = graph.fileNode(file);
    const symbols = new Map<string, ScipSymbol>();
    const { path, language } = graph.tables.files[file];
    const own = { documentation: [], relationships: [], kind: SCIP_KINDS.file };
    symbols.set(monikers.of(node), { symbol: monikers.of(node), displayName: path.split('/').at(-1) ?? path, ...own });
    facts.symbols.forEach((symbol, i) => {
      const moniker = monikers.of(node + 1 + i);
      if (symbols.has(moniker)) return;
      const { doc, name } = symbol;
      const signature = signatureText(bytes, symbol);
      symbols.set(moniker, {
        symbol: moniker,
        documentation: doc === null ? [] : [commentText(bytes.toString('utf8', doc.start, doc.end))],
        relationships: relationshipsOf(graph, node + 1 + i, monikers),
        kind: scipKind(graph, node + 1 + i),
        displayName: name,
        ...(signature !== '' && { signature: { language: scipLanguage(language), text: signature } }),
      });
    });
    return [...symbols.values()];
  }
}

/** Range of a whole definition with its documentation. */
function enclosing(lines: Lines, { start, end, doc, nameStart }: CodeSymbol, bytes: Buffer): ScipRange | undefined {
  const from = Math.min(doc?.start ?? start, start);
  if (end <= from || nameStart < from || nameStart > end) return undefined;
  return [...lines.place(from), ...lines.place(Math.min(end, bytes.length))];
}

/** Index of the innermost symbol around a byte, -1 for none. Containers come before their contents. */
function innermost(symbols: readonly CodeSymbol[], offset: number): number {
  let at = firstFrom(symbols.length, (i) => symbols[i].start <= offset) - 1;
  while (at >= 0 && symbols[at].end <= offset) at = symbols[at].container;
  return at;
}

/** Kinds of symbols whose only type is the type of their value. */
const TYPED: ReadonlySet<string> = new Set(['field', 'property', 'variable', 'constant']);

/** SCIP relations of a definition to others: one for each other symbol, sorted by symbol. */
function relationshipsOf(graph: Graph, node: number, monikers: Monikers): ScipRelationship[] {
  const found = new Map<string, ScipRelationship>();
  const add = (to: number, relation: Omit<ScipRelationship, 'symbol'>): void => {
    const symbol = monikers.of(to);
    if (symbol !== monikers.of(node)) found.set(symbol, { ...found.get(symbol), ...relation, symbol });
  };
  if (isType(graph, node)) {
    for (const edge of inheritEdges(graph, node))
      if (graph.target(edge) >= 0) add(graph.target(edge), { isImplementation: true });
    for (const face of interfacesOf(graph, node)) add(face, { isImplementation: true });
  } else if (TYPED.has(graph.kind(node))) {
    const types = new Set<number>();
    for (const edge of outgoing(graph, node)) if (graph.edgeKind(edge) === 'type') types.add(graph.target(edge));
    const [type] = types;
    if (types.size === 1 && type >= 0) add(type, { isTypeDefinition: true });
  }
  if (isFunction(graph, node) || TYPED.has(graph.kind(node)))
    for (const member of overriddenBy(graph, node)) add(member, { isImplementation: true, isReference: true });
  return [...found.values()].sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
}

// SCIP symbols of the graph's nodes, made from the file's path, the names around a definition, and its own. They stay the same in another
// commit as long as these names do, so they hold no version of the package.

const SCHEME = 'scip-socraticode';

/** Suffix and code of each kind of symbol in SCIP (data). */
const KINDS: Readonly<Record<SymbolKind, readonly [suffix: ScipSuffix, code: number]>> = {
  function: ['().', SCIP_KINDS.function],
  method: ['().', SCIP_KINDS.method],
  constructor: ['().', SCIP_KINDS.constructor],
  class: ['#', SCIP_KINDS.class],
  interface: ['#', SCIP_KINDS.interface],
  trait: ['#', SCIP_KINDS.trait],
  struct: ['#', SCIP_KINDS.struct],
  enum: ['#', SCIP_KINDS.enum],
  'enum-member': ['.', SCIP_KINDS.enumMember],
  type: ['#', SCIP_KINDS.typeAlias],
  module: ['/', SCIP_KINDS.module],
  namespace: ['/', SCIP_KINDS.namespace],
  constant: ['.', SCIP_KINDS.constant],
  variable: ['.', SCIP_KINDS.variable],
  field: ['.', SCIP_KINDS.field],
  property: ['.', SCIP_KINDS.property],
  macro: ['!', SCIP_KINDS.macro],
  object: ['#', SCIP_KINDS.class],
  section: [':', SCIP_KINDS.unspecified],
  table: ['#', SCIP_KINDS.unspecified],
  selector: [':', SCIP_KINDS.unspecified],
  key: ['.', SCIP_KINDS.unspecified],
  impl: ['#', SCIP_KINDS.unspecified],
};

function scipKind(graph: Graph, node: number): number {
  const kind = graph.kind(node);
  return kind === 'file' ? SCIP_KINDS.file : KINDS[kind][1];
}

class Monikers {
  private readonly known: string[] = [];
  /** Nodes by symbol, to distinguish definitions that would have equal symbols. */
  private readonly taken = new Map<string, number>();
  private readonly packageOf: ReturnType<typeof packageFinder>;

  constructor(
    private readonly graph: Graph,
    manifests: ReadonlyMap<string, string>,
  ) {
    this.packageOf = packageFinder(manifests);
    // Made in the order of nodes, so that distinguishing numbers do not depend on the order of questions.
    for (let node = 0; node < graph.nodeCount; node++) this.known.push(this.make(node));
  }

  of(node: number): string {
    return this.known[node];
  }

  /** True for a block that adds to a type of its file: such a block uses the type's name. */
  isAddition(node: number): boolean {
    return this.graph.kind(node) === 'impl' && this.principal(node) !== node;
  }

  private make(node: number): string {
    const { graph } = this;
    if (graph.isFile(node)) return this.fileSymbol(node);
    const first = this.principal(node);
    if (first !== node) return this.known[first];
    const container = this.known[graph.container(node)];
    const name = graph.name(node) === '' ? '_' : graph.name(node);
    const kind = graph.kind(node);
    const suffix = kind === 'file' ? '/' : KINDS[kind][0];
    for (let count = 0; ; count++) {
      const again = count === 0 ? '' : `+${count}`;
      const descriptor =
        suffix === '().' ? { name, suffix, disambiguator: again } : { name: `${name}${again}`, suffix };
      const symbol = container + formatDescriptor(descriptor);
      if (this.taken.has(symbol)) continue;
      this.taken.set(symbol, node);
      return symbol;
    }
  }

  /** Node that this one extends: the first overload that shares its body, or the type of an `impl` block. */
  private principal(node: number): number {
    const { graph } = this;
    const file = graph.fileOf(node);
    const { variants } = conventionsOf(graph.tables.files[file].language);
    if (graph.kind(node) !== 'impl') return variants === undefined ? firstOf(graph, node) : node;
    const same = graph.namesakes(node).find((other) => graph.fileOf(other) === file);
    return same === undefined || same > node ? node : same;
  }

  private fileSymbol(node: number): string {
    const { path, language } = this.graph.tables.files[this.graph.fileOf(node)];
    const names = path.split('/').map((name) => formatDescriptor({ name, suffix: '/' }));
    return formatPackage({ scheme: SCHEME, ...this.packageOf({ path, language }), version: '' }) + names.join('');
  }
}
