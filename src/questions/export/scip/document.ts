/** Makes the SCIP document of one file from its facts, its text and the graph. */
import type { BlobFacts, CodeSymbol } from '../../../extract/facts.js';
import { type Graph, UNKNOWN_RECEIVER } from '../../../graph/graph.js';
import { commentText, signatureText } from '../../../graph/query/signatures.js';
import { CALL_KINDS } from '../../../graph/query/uses.js';
import type { EdgeKind } from '../../../graph/types.js';
import type { LexicalConventions } from '../../../languages/roles/relations.js';
import { scipLanguage } from '../../../languages/scip-names.js';
import {
  SCIP_COLUMNS,
  SCIP_KINDS,
  SCIP_ROLES,
  type ScipDocument,
  type ScipRange,
  type ScipSymbol,
} from '../../../scip/types.js';
import { type Monikers, scipKind } from './monikers.js';
import { alignUses, columnsOf, isMemberAt, Lines, outsideOfProse } from './positions.js';
import { relationshipsOf } from './relationships.js';
import { fileEdges, groupBy, importedNames, isDescribed, Occurrences, type Use, usesByLine, WORDS } from './uses.js';

export interface FileText {
  file: number;
  facts: BlobFacts;
  bytes: Buffer;
  /** Undefined where the rules of the language do not tell. */
  lexical: LexicalConventions | undefined;
}

/** Kinds of edges that run or read what they lead to; the rest name a type or a parent. */
const READS: ReadonlySet<EdgeKind> = new Set<EdgeKind>([...CALL_KINDS, 'value', 'read']);

export class DocumentMaker {
  /** Number of uses that the graph has and that were not found in the text. */
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

  /** Adds all definitions, and returns their names' places as `line:column`. */
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
      // A block that adds to a type uses its name.
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

  /** Places uses of one name on a line at its columns, which come with the node around each. */
  private addSame(text: string, same: readonly Use[], columns: Map<number, number>, found: Occurrences): void {
    const keyOf = ({ from, receiver }: Use) => `${from} ${receiver === UNKNOWN_RECEIVER ? '?' : receiver !== ''}`;
    const groups = [...groupBy(same, keyOf).values()];
    const isUnknown = ([use]: readonly Use[]) => use.receiver === UNKNOWN_RECEIVER;
    // Uses of which least is known take the places that are left.
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
    const role = kind === 'write' ? SCIP_ROLES.write : READS.has(kind) ? SCIP_ROLES.read : 0;
    found.add([line, column, line, column + name.length], this.monikers.of(to), role);
  }

  /** Specifiers of imports lead to files; names on their lines lead to what other uses of these names mean. */
  private addImports(file: number, lines: Lines, found: Occurrences): void {
    const { graph } = this;
    const meant = importedNames(graph, file);
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
          const to = meant.get(word[0]);
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

/** The whole definition with its documentation. */
function enclosing(lines: Lines, { start, end, doc, nameStart }: CodeSymbol, bytes: Buffer): ScipRange | undefined {
  const from = Math.min(doc?.start ?? start, start);
  if (end <= from || nameStart < from || nameStart > end) return undefined;
  return [...lines.place(from), ...lines.place(Math.min(end, bytes.length))];
}

/** Index of the innermost symbol around a byte, -1 for none. A symbol stands before those that it contains. */
function innermost(symbols: readonly CodeSymbol[], offset: number): number {
  let low = 0;
  let high = symbols.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (symbols[middle].start <= offset) low = middle + 1;
    else high = middle;
  }
  let at = low - 1;
  while (at >= 0 && symbols[at].end <= offset) at = symbols[at].container;
  return at;
}
