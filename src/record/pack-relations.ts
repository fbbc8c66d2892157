/**
 * Relations of one blob in one language -> null if there are none, else two CBOR values: `[columns, strings]`. The
 * columns begin with their own counts; `schemas/record.cddl` describes them.
 * Each string is stored once, in the order in which the columns first mention it. A column marks a first mention with
 * the code 1 instead of a number, because a repeated code compresses well.
 */
import { SocraticodeError } from '../base/errors.js';
import type { Binding, Export, Import, Reference, Relations } from '../languages/roles/relation-facts.js';
import { type CborValue, isWellFormed } from './cbor.js';
import { ColumnWriter, symbolSteps } from './columns.js';
import { HAS_LITERAL, HAS_RECEIVER, HAS_SPAN, IMPORT_CODES, KIND_UNIT, REFERENCE_CODES } from './kind-codes.js';

function refuse(what: string): never {
  throw new SocraticodeError('INTERNAL', `cannot write relations: ${what}`);
}

/**
 * Codes of strings: 0 is the empty string, 1 is a string that was not mentioned before, and 2 and up are the mentioned
 * ones in order.
 */
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

/** Lines as distances from the line before. */
function lineSteps(lines: readonly number[]): number[] {
  return lines.map((line, i) => line - (i === 0 ? 0 : lines[i - 1]));
}

function packImports(imports: readonly Import[], columns: ColumnWriter, strings: StringCodes): void {
  const names = imports.flatMap((item) => item.names);
  columns.column(imports.map(({ kind }) => IMPORT_CODES.get(kind) ?? refuse(`unknown kind ${kind}`)));
  columns.column(strings.column(imports.map((item) => item.specifier)));
  columns.column(imports.map((item) => item.names.length));
  columns.column(symbolSteps(imports.map((item) => item.symbol)));
  columns.column(lineSteps(imports.map((item) => item.startLine)));
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
  columns.column(lineSteps(exports.map((item) => item.line)));
}

function packReferences(references: readonly Reference[], columns: ColumnWriter, strings: StringCodes): void {
  const received = references.filter((item) => item.receiver !== '');
  const literal = references.filter((item) => item.literal !== '');
  const long = references.filter((item) => item.endLine !== item.startLine);
  columns.column(references.map(headOf));
  columns.column(strings.column(references.map((item) => item.name)));
  columns.column(references.map((item) => item.args + 1));
  columns.column(symbolSteps(references.map((item) => item.symbol)));
  columns.column(lineSteps(references.map((item) => item.startLine)));
  columns.column(strings.column(received.map((item) => item.receiver)));
  columns.column(strings.column(literal.map((item) => item.literal)));
  columns.column(long.map((item) => item.endLine - item.startLine));
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
  columns.column(lineSteps(bindings.map((item) => item.line)));
}

/** The CBOR value of relations. Throws INTERNAL for values that no column can hold; the reader checks the rest. */
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
