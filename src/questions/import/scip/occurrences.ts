/**
 * Turns a document of a SCIP index into the record of a blob, if it is about the text of that blob: ranges must lie in it,
 * and the names of symbols stand there.
 */

import { moniker } from '../../../record/compiler-codec.js';
import { MAX_OCCURRENCES, MAX_RELATION_STRING } from '../../../record/limits.js';
import type { CompilerOccurrence, CompilerRecord } from '../../../record/types.js';
import { formatSymbol, isLocalSymbol, parseSymbol } from '../../../scip/symbol.js';
import { SCIP_COLUMNS, SCIP_ROLES, type ScipDocument, type ScipRange } from '../../../scip/types.js';

/**
 * Largest share of names that may differ from those of their symbols. Aliases do; in another version of the text nearly all
 * names behind the first change do.
 */
const MAX_DIFFERENT = 0.1;
/** Names that may differ in a short file, as long as most do not. */
const FEW_DIFFERENT = 3;
/** Symbols whose numbers are remembered. */
const MAX_KNOWN = 200_000;
const NAME = /^[\p{L}_$#@][\p{L}\p{N}_$]*[?!]?$/u;
const MEMBER = /(?:\.|->|::)\s*$/;
/** Characters in front of a name that tell whether it is a member: a line can be a whole file. */
const MAX_BEFORE = 40;
/** Suffixes of symbols that are written by their own name where they are used. */
const NAMED: ReadonlySet<string> = new Set(['#', '.', '().', '!']);

/** Suffixes of parameters and type parameters. */
const LOCAL: ReadonlySet<string> = new Set(['()', '[]']);

interface Known {
  number: number;
  isLocal: boolean;
  /** Name that should stand in the text; null where that is not known. */
  name: string | null;
}

export class OccurrenceReader {
  private readonly known = new Map<string, Known>();

  /** `same`: symbols that stand for others, which are defined by the same bytes at another path. */
  constructor(private readonly same: ReadonlyMap<string, string>) {}

  /** Reads a document about blob `oid`; null if it is about another text. */
  read(document: ScipDocument, text: string, oid: string): CompilerRecord | null {
    const lines = text.split('\n');
    const columns = new Columns(lines, document.columns);
    const found = new Map<string, CompilerOccurrence>();
    let checked = 0;
    let different = 0;
    for (const { range, symbol, roles } of document.occurrences) {
      const place = placeOf(range, lines, columns);
      const meant = this.meaning(oid, symbol);
      if (meant === null) continue;
      const isNamed = meant.name !== null && NAME.test(meant.name) && !isEmpty(range);
      if (isNamed) checked++;
      const isSame = place?.name === meant.name;
      if (isNamed && !isSame) different++;
      const isDefinition = (roles & SCIP_ROLES.definition) !== 0;
      if (place === null || !isName(place.name) || (isDefinition && isNamed && !isSame)) continue;
      const key = `${place.line}:${place.column}`;
      // Of two meanings of one name, such as a property and the variable in `{ total }`, the one that is not local counts.
      if (found.has(key) && meant.isLocal) continue;
      found.set(key, {
        ...{ ...place, moniker: meant.number, isLocal: meant.isLocal, isDefinition },
        isWrite: (roles & SCIP_ROLES.write) !== 0,
        isMember: MEMBER.test(lines[range[0]].slice(Math.max(0, place.column - MAX_BEFORE), place.column)),
      });
    }
    if (isAnotherText(different, checked)) return null;
    const occurrences = [...found.values()].sort((a, b) => a.line - b.line || a.column - b.column);
    return { occurrences: occurrences.slice(0, MAX_OCCURRENCES) };
  }

  /** Null for a text that is no symbol. The version of a package is left out: records of several commits go together. */
  private meaning(oid: string, symbol: string): Known | null {
    // Locals have a meaning in their document only.
    if (isLocalSymbol(symbol)) return { number: moniker(`${oid} ${symbol}`), isLocal: true, name: null };
    const known = this.known.get(symbol);
    if (known !== undefined) return known;
    const parsed = parseSymbol(this.same.get(symbol) ?? symbol);
    if (parsed === null) return null;
    const last = parsed.descriptors[parsed.descriptors.length - 1];
    const number = moniker(formatSymbol({ ...parsed, version: '' }));
    const meant = { number, isLocal: LOCAL.has(last.suffix), name: NAMED.has(last.suffix) ? last.name : null };
    if (this.known.size >= MAX_KNOWN) this.known.clear();
    this.known.set(symbol, meant);
    return meant;
  }
}

function isAnotherText(different: number, checked: number): boolean {
  if (different <= checked * MAX_DIFFERENT) return false;
  return different > FEW_DIFFERENT || different * 2 >= checked;
}

/** Keeps what two copies of a file say alike: their imports may lead to different files. */
export function commonTo(a: CompilerRecord, b: CompilerRecord): CompilerRecord {
  const keyOf = ({ line, column, moniker: number }: CompilerOccurrence) => `${line}:${column} ${number}`;
  const other = new Set(b.occurrences.map(keyOf));
  return { occurrences: a.occurrences.filter((occurrence) => other.has(keyOf(occurrence))) };
}

function isEmpty([startLine, startColumn, endLine, endColumn]: ScipRange): boolean {
  return startLine === endLine && startColumn === endColumn;
}

function isName(name: string): boolean {
  return name.length <= MAX_RELATION_STRING && NAME.test(name);
}

/** Returns the text at a range within one line, with its place; null for other ranges and for those outside of the text. */
function placeOf(
  [startLine, startColumn, endLine, endColumn]: ScipRange,
  lines: readonly string[],
  columns: Columns,
): Pick<CompilerOccurrence, 'line' | 'column' | 'name'> | null {
  const line = lines[startLine];
  if (line === undefined || startLine !== endLine) return null;
  const start = columns.utf16(startLine, startColumn);
  const end = columns.utf16(startLine, endColumn);
  return end > line.length ? null : { line: startLine + 1, column: start, name: line.slice(start, end) };
}

const PLAIN = /^[\0-\x7f]*$/;

/** Columns of a document in UTF-16 units. Each line is measured once, since a line with all names of a file is not rare. */
class Columns {
  /** Column in UTF-16 units of each unit of a line; null where both are the same. */
  private readonly known = new Map<number, Uint32Array | null>();

  /** Indexers that do not name their unit count in UTF-16. */
  constructor(
    private readonly lines: readonly string[],
    private readonly unit: number,
  ) {}

  utf16(line: number, column: number): number {
    if (this.unit !== SCIP_COLUMNS.utf8 && this.unit !== SCIP_COLUMNS.utf32) return column;
    let table = this.known.get(line);
    if (table === undefined) {
      table = PLAIN.test(this.lines[line]) ? null : this.measure(this.lines[line]);
      this.known.set(line, table);
    }
    return table === null ? column : (table[column] ?? Number.POSITIVE_INFINITY);
  }

  private measure(line: string): Uint32Array {
    const table = new Uint32Array((this.unit === SCIP_COLUMNS.utf8 ? Buffer.byteLength(line) : [...line].length) + 1);
    let at = 0;
    let column = 0;
    for (const char of line) {
      const units = this.unit === SCIP_COLUMNS.utf8 ? Buffer.byteLength(char) : 1;
      table.fill(column, at, at + units);
      at += units;
      column += char.length;
    }
    table[at] = column;
    return table;
  }
}
