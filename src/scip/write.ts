/** Writes a SCIP index. Each function returns one part of it: metadata first, then the rest in any order, put end to end. */
import { PbfWriter } from 'pbf';
import type { ScipDocument, ScipMetadata, ScipOccurrence, ScipRange, ScipRelationship, ScipSymbol } from './types.js';

/** Encoding of texts in the files of a project, for `Metadata`; columns of documents have a unit of their own. */
const UTF8_TEXT = 1;

export function encodeMetadata(metadata: ScipMetadata): Uint8Array {
  return part(1, writeMetadata, metadata);
}

export function encodeDocument(document: ScipDocument): Uint8Array {
  return part(2, writeDocument, document);
}

/** Encodes a symbol that documents of this index refer to, and that another project defines. */
export function encodeExternalSymbol(symbol: ScipSymbol): Uint8Array {
  return part(3, writeSymbol, symbol);
}

function part<T>(field: number, write: (value: T, out: PbfWriter) => void, value: T): Uint8Array {
  const out = new PbfWriter();
  out.writeMessage(field, write, value);
  return out.finish();
}

function writeMetadata({ tool, projectRoot }: ScipMetadata, out: PbfWriter): void {
  out.writeMessage(2, writeTool, tool);
  writeText(out, 3, projectRoot);
  out.writeVarintField(4, UTF8_TEXT);
}

function writeTool(tool: ScipMetadata['tool'], out: PbfWriter): void {
  writeText(out, 1, tool.name);
  writeText(out, 2, tool.version);
  for (const argument of tool.arguments) putText(out, 3, argument);
}

function writeDocument(document: ScipDocument, out: PbfWriter): void {
  writeText(out, 1, document.path);
  for (const occurrence of document.occurrences) out.writeMessage(2, writeOccurrence, occurrence);
  for (const symbol of document.symbols) out.writeMessage(3, writeSymbol, symbol);
  writeText(out, 4, document.language);
  writeNumber(out, 6, document.columns);
}

function writeOccurrence(occurrence: ScipOccurrence, out: PbfWriter): void {
  out.writePackedVarint(1, shortRange(occurrence.range));
  writeText(out, 2, occurrence.symbol);
  writeNumber(out, 3, occurrence.roles);
  if (occurrence.enclosing !== undefined) out.writePackedVarint(7, shortRange(occurrence.enclosing));
}

/** A range within one line has three numbers in the format. */
function shortRange([startLine, startColumn, endLine, endColumn]: ScipRange): number[] {
  return startLine === endLine ? [startLine, startColumn, endColumn] : [startLine, startColumn, endLine, endColumn];
}

function writeSymbol(symbol: ScipSymbol, out: PbfWriter): void {
  writeText(out, 1, symbol.symbol);
  for (const text of symbol.documentation) putText(out, 3, text);
  for (const relationship of symbol.relationships) out.writeMessage(4, writeRelationship, relationship);
  writeNumber(out, 5, symbol.kind);
  writeText(out, 6, symbol.displayName);
  if (symbol.signature !== undefined) out.writeMessage(7, writeSignature, symbol.signature);
}

/** A signature is a document that has only a language and a text. */
function writeSignature({ language, text }: NonNullable<ScipSymbol['signature']>, out: PbfWriter): void {
  writeText(out, 4, language);
  writeText(out, 5, text);
}

function writeRelationship(relationship: ScipRelationship, out: PbfWriter): void {
  writeText(out, 1, relationship.symbol);
  if (relationship.isReference) out.writeBooleanField(2, true);
  if (relationship.isImplementation) out.writeBooleanField(3, true);
  if (relationship.isTypeDefinition) out.writeBooleanField(4, true);
  if (relationship.isDefinition) out.writeBooleanField(5, true);
}

/** Writes a text that differs from the default of its field, which is the empty one. */
function writeText(out: PbfWriter, field: number, value: string): void {
  if (value !== '') putText(out, field, value);
}

/** Writes a text, as bytes: `writeStringField` of pbf 5.1.2 writes another character for some above U+1FFFF. */
function putText(out: PbfWriter, field: number, value: string): void {
  out.writeBytesField(field, Buffer.from(value));
}

function writeNumber(out: PbfWriter, field: number, value: number): void {
  if (value !== 0) out.writeVarintField(field, value);
}
