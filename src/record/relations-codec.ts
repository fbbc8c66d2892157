/**
 * Relations of one blob in one language as CBOR values, and back. Written: null if there are none, else `[columns, strings]`. The columns
 * begin with their own counts; `schemas/record.cddl` describes them. Each string is stored once, in the order in which the columns first
 * mention it. A column marks a first mention with the code 1 instead of a number, because a repeated code compresses well.
 */
import { isUtf8 } from 'node:buffer';
import { SocraticodeError } from '../base/errors.js';
import {
  type Binding,
  type Export,
  IMPORT_KINDS,
  type Import,
  noRelations,
  REFERENCE_KINDS,
  type Reference,
  type Relations,
} from '../languages/roles/relation-facts.js';
import { bytesOf, type CborValue, corrupt, count, isWellFormed } from './cbor.js';
import {
  ColumnReader,
  ColumnWriter,
  HAS_LITERAL,
  HAS_RECEIVER,
  HAS_SPAN,
  IMPORT_CODES,
  KIND_UNIT,
  REFERENCE_CODES,
  symbolSteps,
  unzigzag,
} from './columns.js';
import {
  MAX_BINDINGS,
  MAX_BLOB_BYTES,
  MAX_EXPORTS,
  MAX_IMPORTED_NAMES,
  MAX_IMPORTS,
  MAX_NAMES_PER_IMPORT,
  MAX_REFERENCES,
  MAX_RELATION_STRING,
  MAX_RELATION_STRINGS,
} from './format.js';

function refuse(what: string): never {
  throw new SocraticodeError('INTERNAL', `cannot write relations: ${what}`);
}

/** Codes of strings: 0 is the empty string, 1 is a string that was not mentioned before, and 2 and up are the mentioned ones in order. */
class StringCodes {
  readonly strings: string[] = [];
  private readonly codes = new Map<string, number>([['', 0]]);

  column(values: readonly string[]): number[] {
    return values.map((value) => {
      const known = this.codes.get(value);
      if (known !== undefined) return known;
      if (!isWellFormed(value)) refuse('a string with a lone surrogate');
      this.strings.push(value);
      this.codes.set(value, this.strings.length + 1);
      return 1;
    });
  }
}

/** Numbers as distances from the one before. */
export function distances(lines: readonly number[]): number[] {
  return lines.map((line, i) => line - (i === 0 ? 0 : lines[i - 1]));
}

function packImports(imports: readonly Import[], columns: ColumnWriter, strings: StringCodes): void {
  const names = imports.flatMap((item) => item.names);
  columns.column(imports.map(({ kind }) => IMPORT_CODES.get(kind) ?? refuse(`unknown kind ${kind}`)));
  columns.column(strings.column(imports.map((item) => item.specifier)));
  columns.column(imports.map((item) => item.names.length));
  columns.column(symbolSteps(imports.map((item) => item.symbol)));
  columns.column(distances(imports.map((item) => item.startLine)));
  columns.column(imports.map((item) => item.endLine - item.startLine));
  columns.column(strings.column(names.map((item) => item.name)));
  // Most aliases equal the name. One flag for all of those is smaller than repeating the code of each name.
  const renamed = names.filter((item) => item.alias !== item.name);
  columns.column(names.map((item) => (item.alias === item.name ? 0 : 1)));
  columns.column(strings.column(renamed.map((item) => item.alias)));
}

function packExports(exports: readonly Export[], columns: ColumnWriter, strings: StringCodes): void {
  columns.column(strings.column(exports.map((item) => item.name)));
  columns.column(strings.column(exports.map((item) => item.local)));
  columns.column(distances(exports.map((item) => item.line)));
}

function packReferences(references: readonly Reference[], columns: ColumnWriter, strings: StringCodes): void {
  const received = references.filter((item) => item.receiver !== '');
  const literal = references.filter((item) => item.literal !== '');
  const typed = references.filter((item) => typesCode(item) === TYPES);
  const long = references.filter((item) => item.endLine !== item.startLine);
  columns.column(references.map(headOf));
  columns.column(strings.column(references.map((item) => item.name)));
  columns.column(references.map((item) => TYPES_UNIT * (item.args + 1) + typesCode(item)));
  columns.column(symbolSteps(references.map((item) => item.symbol)));
  columns.column(distances(references.map((item) => item.startLine)));
  columns.column(strings.column(received.map((item) => item.receiver)));
  columns.column(strings.column(literal.map((item) => item.literal)));
  columns.column(strings.column(typed.map((item) => item.types ?? '')));
  columns.column(long.map((item) => item.endLine - item.startLine));
}

/**
 * The column of arguments holds `TYPES_UNIT` times one more than their number, which may be -1, and the code of their types: 0 if
 * these are not told, `TYPES` if a string of the sparse column tells them, and `TEXTS` if all of them are texts.
 */
const TYPES = 1;
const TEXTS = 2;
const TYPES_UNIT = 3;

/** Most arguments for which `TEXTS` is written. The types of more are always a string. */
const MAX_TEXTS = 9;

const textsOf = (args: number): string => new Array<string>(args).fill('"').join(',');

const ALL_TEXTS: readonly string[] = Array.from({ length: MAX_TEXTS + 1 }, (_, args) => textsOf(args));

function typesCode({ args, types }: Reference): number {
  if (types === undefined) return 0;
  return args > 0 && args <= MAX_TEXTS && types === ALL_TEXTS[args] ? TEXTS : TYPES;
}

function headOf({ kind, receiver, literal, startLine, endLine }: Reference): number {
  const code = REFERENCE_CODES.get(kind) ?? refuse(`unknown kind ${kind}`);
  const flags =
    (receiver === '' ? 0 : HAS_RECEIVER) | (literal === '' ? 0 : HAS_LITERAL) | (startLine === endLine ? 0 : HAS_SPAN);
  return code * KIND_UNIT + flags;
}

function packBindings(bindings: readonly Binding[], columns: ColumnWriter, strings: StringCodes): void {
  columns.column(symbolSteps(bindings.map((item) => item.scope)));
  columns.column(strings.column(bindings.map((item) => item.name)));
  columns.column(strings.column(bindings.map((item) => item.type)));
  columns.column(strings.column(bindings.map((item) => item.value)));
  columns.column(distances(bindings.map((item) => item.line)));
}

/** Encodes relations. Throws INTERNAL for values that no column can hold; the reader checks the rest. */
export function packRelations({ imports, exports, references, bindings }: Relations): CborValue {
  if (imports.length + exports.length + references.length + bindings.length === 0) return null;
  const columns = new ColumnWriter();
  const strings = new StringCodes();
  const names = imports.reduce((sum, item) => sum + item.names.length, 0);
  columns.column([imports.length, names, exports.length, references.length, bindings.length]);
  packImports(imports, columns, strings);
  packExports(exports, columns, strings);
  packReferences(references, columns, strings);
  packBindings(bindings, columns, strings);
  columns.column(strings.strings.map((text) => text.length));
  return [columns.finish(), Buffer.from(strings.strings.join(''))];
}

// The reverse of `packRelations`. The values are untrusted: every count is compared with the bytes at hand before it allocates, and all
// columns are read before an object is built.

type Column = Uint32Array;

/** Reads columns and replaces their codes by the numbers that they encode, in place. */
class RelationReader {
  /** Number of strings that the columns have mentioned so far, including the empty one. */
  private mentioned = 1;
  private readonly columns: ColumnReader;

  constructor(
    bytes: Uint8Array,
    private readonly symbols: number,
    private readonly lines: number,
  ) {
    this.columns = new ColumnReader(bytes);
  }

  column(total: number): Column {
    return this.columns.column(total);
  }

  /** Reads a column of strings, as indexes into the result of `table`. */
  strings(total: number): Column {
    const codes = this.columns.column(total);
    let mentioned = this.mentioned;
    for (let i = 0; i < total; i++) {
      const code = codes[i];
      if (code === 1) codes[i] = mentioned++;
      else if (code > mentioned) corrupt('string that does not exist');
      else if (code > 1) codes[i] = code - 1;
    }
    count(mentioned, MAX_RELATION_STRINGS, 'number of strings');
    this.mentioned = mentioned;
    return codes;
  }

  /** Reads a column of symbols, -1 for none. */
  symbolColumn(total: number): Int32Array {
    const codes = this.columns.column(total);
    const values = new Int32Array(total);
    let last = 0;
    for (let i = 0; i < total; i++) {
      if (codes[i] === 0) {
        values[i] = -1;
        continue;
      }
      last += unzigzag(codes[i] - 1);
      if (last < 0 || last >= this.symbols) corrupt('relation of a symbol that does not exist');
      values[i] = last;
    }
    return values;
  }

  lineColumn(total: number): Column {
    const values = this.columns.column(total);
    let line = 0;
    for (let i = 0; i < total; i++) {
      line += values[i];
      if (line === 0 || line > this.lines) corrupt('line of a relation lies outside the blob');
      values[i] = line;
    }
    return values;
  }

  lastLine(line: number, span: number): number {
    return line + span <= this.lines ? line + span : corrupt('line of a relation lies outside the blob');
  }

  /** Reads the strings of all columns. Call it after the last column; throws RECORD_CORRUPT if bytes are left. */
  table(text: Uint8Array): string[] {
    const lengths = this.columns.column(this.mentioned - 1);
    this.columns.end();
    if (!isUtf8(text)) corrupt('strings are not UTF-8');
    return cut(Buffer.from(text.buffer, text.byteOffset, text.byteLength).toString('utf8'), lengths);
  }
}

function cut(text: string, lengths: Column): string[] {
  const strings = [''];
  let at = 0;
  for (const length of lengths) {
    const end = at + length;
    if (length === 0 || length > MAX_RELATION_STRING || end > text.length) corrupt('string of a wrong length');
    if ((text.charCodeAt(end) & 0xfc00) === 0xdc00) corrupt('string cut inside a character');
    strings.push(text.slice(at, end));
    at = end;
  }
  if (at !== text.length) corrupt('text after the last string');
  if (new Set(strings).size !== strings.length) corrupt('a string that occurs twice');
  return strings;
}

function sum(values: Column): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function flagged(heads: Column, flag: number): number {
  let total = 0;
  for (const head of heads) if ((head & flag) !== 0) total++;
  return total;
}

type Build<T> = (strings: readonly string[]) => T[];

function readImports(reader: RelationReader, total: number, nameTotal: number): Build<Import> {
  const kinds = reader.column(total);
  const specifiers = reader.strings(total);
  const counts = reader.column(total);
  for (const names of counts) count(names, MAX_NAMES_PER_IMPORT, 'number of imported names');
  if (sum(counts) !== nameTotal) corrupt('imported names without an import');
  const symbols = reader.symbolColumn(total);
  const lines = reader.lineColumn(total);
  const spans = reader.column(total);
  const names = reader.strings(nameTotal);
  const renamed = reader.column(nameTotal);
  if (renamed.some((flag) => flag > 1)) corrupt('unknown flag');
  const aliases = reader.strings(sum(renamed));
  return (strings) => {
    let [at, alias] = [0, 0];
    const nextName = () => {
      const name = names[at];
      const other = renamed[at++] === 1 ? aliases[alias++] : -1;
      if (other === name) corrupt('an alias that is the name');
      return { name: strings[name], alias: strings[other === -1 ? name : other] };
    };
    return Array.from({ length: total }, (_, i) => ({
      kind: IMPORT_KINDS[kinds[i]] ?? corrupt('unknown kind of import'),
      specifier: strings[specifiers[i]],
      names: Array.from({ length: counts[i] }, nextName),
      symbol: symbols[i],
      startLine: lines[i],
      endLine: reader.lastLine(lines[i], spans[i]),
    }));
  };
}

function readExports(reader: RelationReader, total: number): Build<Export> {
  const names = reader.strings(total);
  const locals = reader.strings(total);
  const lines = reader.lineColumn(total);
  return (strings) =>
    Array.from({ length: total }, (_, i) => ({
      name: strings[names[i]],
      local: strings[locals[i]],
      line: lines[i],
    }));
}

function readReferences(reader: RelationReader, total: number): Build<Reference> {
  const heads = reader.column(total);
  const names = reader.strings(total);
  const args = reader.column(total);
  const symbols = reader.symbolColumn(total);
  const lines = reader.lineColumn(total);
  const receivers = reader.strings(flagged(heads, HAS_RECEIVER));
  const literals = reader.strings(flagged(heads, HAS_LITERAL));
  const types = reader.strings(args.filter((code) => code % TYPES_UNIT === TYPES).length);
  const spans = reader.column(flagged(heads, HAS_SPAN));
  if ([receivers, literals, types, spans].some((column) => column.includes(0)))
    corrupt('an empty value in a sparse column');
  return (strings) => {
    let [receiver, literal, type, span] = [0, 0, 0, 0];
    const references: Reference[] = [];
    for (let i = 0; i < total; i++) {
      const head = heads[i];
      const told = args[i] % TYPES_UNIT;
      const given = count(Math.floor(args[i] / TYPES_UNIT), MAX_BLOB_BYTES, 'number of arguments') - 1;
      if (told === TEXTS && (given < 1 || given > MAX_TEXTS)) corrupt('types of too many arguments');
      if (told === TYPES && given <= MAX_TEXTS && strings[types[type]] === textsOf(Math.max(0, given)))
        corrupt('types of texts in long form');
      const reference: Reference = {
        kind: REFERENCE_KINDS[Math.floor(head / KIND_UNIT)] ?? corrupt('unknown kind of reference'),
        name: strings[names[i]],
        receiver: (head & HAS_RECEIVER) === 0 ? '' : strings[receivers[receiver++]],
        args: given,
        literal: (head & HAS_LITERAL) === 0 ? '' : strings[literals[literal++]],
        symbol: symbols[i],
        startLine: lines[i],
        endLine: (head & HAS_SPAN) === 0 ? lines[i] : reader.lastLine(lines[i], spans[span++]),
      };
      // Few references have types. Spreading them into the object would take as long as all the rest.
      if (told === TYPES) reference.types = strings[types[type++]];
      else if (told === TEXTS) reference.types = textsOf(given);
      references.push(reference);
    }
    return references;
  };
}

function readBindings(reader: RelationReader, total: number): Build<Binding> {
  const scopes = reader.symbolColumn(total);
  const [names, types, values] = [reader.strings(total), reader.strings(total), reader.strings(total)];
  const lines = reader.lineColumn(total);
  return (strings) => {
    const bindings: Binding[] = [];
    for (let i = 0; i < total; i++) {
      bindings.push({
        scope: scopes[i],
        name: strings[names[i]],
        type: strings[types[i]],
        value: strings[values[i]],
        line: lines[i],
      });
    }
    return bindings;
  };
}

/** Upper bounds for the counts of imports, imported names, exports, references and bindings, in this order. */
const MAX_COUNTS = [MAX_IMPORTS, MAX_IMPORTED_NAMES, MAX_EXPORTS, MAX_REFERENCES, MAX_BINDINGS];

/** Splits a value that is not null into columns and strings. Throws RECORD_CORRUPT. */
function parts(value: unknown): [columns: Uint8Array, text: Uint8Array] {
  if (!Array.isArray(value) || value.length !== 2) corrupt('relations are neither null nor an array of two');
  return [bytesOf(value[0], 'relation columns'), bytesOf(value[1], 'strings')];
}

/**
 * Reads the relations of a blob with `symbols` symbols and `lines` lines from a decoded CBOR value. Throws RECORD_CORRUPT for anything
 * that `packRelations` cannot have written.
 */
export function unpackRelations(value: unknown, symbols: number, lines: number): Relations {
  if (value === null) return noRelations();
  const { imports, exports, references, bindings, strings } = readRelations(value, symbols, lines);
  return {
    imports: imports(strings),
    exports: exports(strings),
    references: references(strings),
    bindings: bindings(strings),
  };
}

/** Reads the references alone, of relations that `unpackRelations` has read before. */
export function unpackReferences(value: unknown, symbols: number, lines: number): Reference[] {
  if (value === null) return [];
  const { references, strings } = readRelations(value, symbols, lines);
  return references(strings);
}

function readRelations(value: unknown, symbols: number, lines: number) {
  const [bytes, text] = parts(value);
  const reader = new RelationReader(bytes, symbols, lines);
  const counts = reader.column(MAX_COUNTS.length);
  if (sum(counts) === 0) corrupt('the relations are empty but not null');
  MAX_COUNTS.forEach((most, i) => {
    count(counts[i], most, 'number of relations');
  });
  const imports = readImports(reader, counts[0], counts[1]);
  const exports = readExports(reader, counts[2]);
  const references = readReferences(reader, counts[3]);
  const bindings = readBindings(reader, counts[4]);
  return { imports, exports, references, bindings, strings: reader.table(text) };
}

/**
 * Skips relations and returns empty ones. Throws RECORD_CORRUPT if the value does not have their outer shape; their content is not
 * checked.
 */
export function passOverRelations(value: unknown): Relations {
  if (value !== null) parts(value);
  return noRelations();
}
