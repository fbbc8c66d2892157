/**
 * Stores linked graphs as files. The memory is a file of its own: relinking reads it, and questions do not. All bytes are
 * checked when they are read.
 */
import { packSections, Sections } from '../base/binary.js';
import { SocraticodeError } from '../base/errors.js';
import { MAX_ARITY, PARAMETERS_END, SYMBOL_KINDS } from '../extract/facts.js';
import { IMPORT_KINDS } from '../languages/roles/relation-facts.js';
import type { LinkMemory } from './link/link-memory.js';
import { EDGE_KINDS, EVIDENCE_TIERS, FILE_STATES, type GraphFile, type GraphTables } from './tables.js';

const GRAPH_MAGIC = 'GSCGRPH4';
const GRAPH_NAME = 'linked graph';
/** Lengths of SHA-1 and SHA-256 ids in hexadecimal. Ids of uncommitted files have the same form. */
const OID_LENGTHS: ReadonlySet<number> = new Set([40, 64]);
const KNOWN_FLAGS = 4 * (MAX_ARITY + 1) + 3;
/** Flag next to the state of a file with parse errors that may hide declarations. */
const INCOMPLETE = 0x80;
/** Flag next to the state of a file that a tool wrote. */
const GENERATED = 0x40;

interface GraphMeta {
  languages: string[];
  oidLength: number;
}

export function encodeTables(tables: GraphTables): Buffer {
  const { files, strings, nodeContainer, nodeOwner, edgeTo, ...columns } = tables;
  const languages = [...new Set(files.map(({ language }) => language))].sort();
  const numbers = new Map(languages.map((language, i) => [language, i]));
  const meta: GraphMeta = { languages, oidLength: files[0]?.oid.length ?? 40 };
  return packSections(GRAPH_MAGIC, meta, {
    fileOid: Buffer.from(files.map(({ oid }) => oid).join(''), 'latin1'),
    fileLanguage: Uint16Array.from(files, ({ language }) => numbers.get(language) ?? 0),
    fileCompiled: Buffer.from(compiledIds(files), 'latin1'),
    fileState: Uint8Array.from(files, ({ state, isIncomplete, isGenerated }) => {
      return FILE_STATES.indexOf(state) | (isIncomplete ? INCOMPLETE : 0) | (isGenerated ? GENERATED : 0);
    }),
    ...columns,
    nodeContainer: unsigned(nodeContainer),
    nodeOwner: unsigned(nodeOwner),
    edgeTo: unsigned(edgeTo),
    ...stringSections('string', strings),
  });
}

/** Ids of the files' compiler records, zeros for none; empty if no file has one. */
function compiledIds(files: readonly GraphFile[]): string {
  if (files.every(({ compiled }) => compiled === undefined)) return '';
  return files.map(({ oid, compiled }) => compiled ?? '0'.repeat(oid.length)).join('');
}

/** Decodes a graph. Throws SHARD_CORRUPT unless every index is in range and every container precedes its members. */
export function decodeTables(bytes: Buffer): GraphTables {
  return reading<GraphMeta, GraphTables>(bytes, GRAPH_MAGIC, GRAPH_NAME, (sections) => {
    const columns = {
      nodeBase: sections.u32('nodeBase'),
      nodeName: sections.u32('nodeName'),
      nodeKind: sections.u8('nodeKind'),
      nodeFlags: sections.u8('nodeFlags'),
      nodeParameters: sections.u32('nodeParameters'),
      nodeContainer: signed(sections.u32('nodeContainer')),
      nodeOwner: signed(sections.u32('nodeOwner')),
      nodeStartLine: sections.u32('nodeStartLine'),
      nodeEndLine: sections.u32('nodeEndLine'),
      nodeMoniker: sections.u32('nodeMoniker'),
      edgeBase: sections.u32('edgeBase'),
      edgeTo: signed(sections.u32('edgeTo')),
      edgeKind: sections.u8('edgeKind'),
      edgeTier: sections.u8('edgeTier'),
      edgeLine: sections.u32('edgeLine'),
      edgeSpan: sections.u16('edgeSpan'),
      edgeName: sections.u32('edgeName'),
      edgeReceiver: sections.u32('edgeReceiver'),
      edgeLiteral: sections.u32('edgeLiteral'),
      strings: readStrings(sections, 'string', GRAPH_NAME),
    };
    const count = sections.u8('fileState').length;
    checkNodes(columns, count);
    checkEdges(columns);
    return { files: readFiles(sections, columns, count), ...columns };
  });
}

type Columns = Omit<GraphTables, 'files'>;

function checkNodes(tables: Columns, files: number): void {
  const { nodeBase, nodeName, nodeKind, nodeFlags, nodeContainer, nodeStartLine, nodeEndLine, nodeMoniker, strings } =
    tables;
  const total = nodeName.length;
  bases(nodeBase, files, total, GRAPH_NAME);
  sameLength(GRAPH_NAME, total, nodeKind, nodeFlags, nodeContainer, nodeStartLine, nodeEndLine);
  if (nodeMoniker.length > 0) sameLength(GRAPH_NAME, 2 * total, nodeMoniker);
  checkOwners(tables);
  below(nodeName, strings.length, GRAPH_NAME);
  below(nodeKind, SYMBOL_KINDS.length + 1, GRAPH_NAME);
  below(nodeFlags, KNOWN_FLAGS + 1, GRAPH_NAME);
  if (tables.nodeParameters.length > 0) sameLength(GRAPH_NAME, total, tables.nodeParameters);
  below(tables.nodeParameters, PARAMETERS_END, GRAPH_NAME);
  for (let file = 0; file < files; file++) {
    const first = nodeBase[file];
    if (nodeBase[file + 1] === first) corrupt(GRAPH_NAME, 'a file without a node');
    if (nodeKind[first] !== 0 || nodeContainer[first] !== -1) corrupt(GRAPH_NAME, 'a file node that is a symbol');
    for (let node = first + 1; node < nodeBase[file + 1]; node++) {
      // Containers precede their members, so that walking up the containers ends.
      if (nodeKind[node] === 0 || nodeContainer[node] < first || nodeContainer[node] >= node) {
        corrupt(GRAPH_NAME, 'a symbol with an invalid container');
      }
      if (nodeEndLine[node] < nodeStartLine[node]) corrupt(GRAPH_NAME, 'a symbol that ends before it begins');
    }
  }
}

/** Owners are types outside of functions, so that walking up the containers ends. */
function checkOwners({ nodeOwner, nodeContainer, nodeKind }: Columns): void {
  if (nodeOwner.length === 0) return;
  sameLength(GRAPH_NAME, nodeKind.length, nodeOwner);
  for (const owner of nodeOwner) {
    if (owner === -1) continue;
    if (owner < -1 || owner >= nodeKind.length) corrupt(GRAPH_NAME, 'an invalid owner');
    for (let at = owner; nodeKind[at] !== 0; at = nodeContainer[at])
      if (nodeOwner[at] !== -1) corrupt(GRAPH_NAME, 'an owner in a member');
  }
}

function checkEdges(tables: Columns): void {
  const { nodeName, edgeBase, edgeTo, edgeKind, edgeTier, edgeLine, edgeSpan, strings } = tables;
  const { edgeName, edgeReceiver, edgeLiteral } = tables;
  const total = edgeTo.length;
  bases(edgeBase, nodeName.length, total, GRAPH_NAME);
  sameLength(GRAPH_NAME, total, edgeKind, edgeTier, edgeLine, edgeSpan, edgeName, edgeReceiver, edgeLiteral);
  below(edgeKind, EDGE_KINDS.length, GRAPH_NAME);
  below(edgeTier, EVIDENCE_TIERS.length, GRAPH_NAME);
  for (const column of [edgeName, edgeReceiver, edgeLiteral]) below(column, strings.length, GRAPH_NAME);
  const nodes = nodeName.length;
  for (let edge = 0; edge < total; edge++)
    if (edgeTo[edge] < -1 || edgeTo[edge] >= nodes) corrupt(GRAPH_NAME, 'an edge to an invalid node');
}

function readFiles(
  sections: Sections<GraphMeta>,
  { strings, nodeName, nodeBase }: Columns,
  count: number,
): GraphFile[] {
  const { languages, oidLength } = sections.meta;
  // Each id is a text of its own: a part of one text keeps all of it in memory, for as long as a cache knows a single blob of this graph.
  const oids = sections.bytes('fileOid');
  const compiled = sections.bytes('fileCompiled');
  const fileLanguage = sections.u16('fileLanguage');
  const fileState = sections.u8('fileState');
  if (!OID_LENGTHS.has(oidLength) || oids.length !== count * oidLength) corrupt(GRAPH_NAME, 'ids of the wrong length');
  if (compiled.length > 0 && compiled.length !== oids.length) corrupt(GRAPH_NAME, 'records of the wrong length');
  if (!Array.isArray(languages) || !languages.every((name) => typeof name === 'string'))
    corrupt(GRAPH_NAME, 'an invalid list of languages');
  sameLength(GRAPH_NAME, count, fileLanguage);
  below(fileLanguage, languages.length, GRAPH_NAME);
  const states = fileState.map((state) => state & ~(INCOMPLETE | GENERATED));
  below(states, FILE_STATES.length, GRAPH_NAME);
  const files: GraphFile[] = [];
  for (let i = 0; i < count; i++) {
    const path = strings[nodeName[nodeBase[i]]];
    if (i > 0 && path <= files[i - 1].path) corrupt(GRAPH_NAME, 'paths out of order');
    const [start, end] = [i * oidLength, (i + 1) * oidLength];
    const oid = oids.toString('latin1', start, end);
    const [language, state] = [languages[fileLanguage[i]], FILE_STATES[states[i]]];
    const id = compiled.toString('latin1', start, end);
    const file: GraphFile = /^0*$/.test(id)
      ? { path, oid, language, state }
      : { path, oid, language, state, compiled: id };
    if (fileState[i] & INCOMPLETE) file.isIncomplete = true;
    if (fileState[i] & GENERATED) file.isGenerated = true;
    files.push(file);
  }
  return files;
}

// The memory of a linked snapshot.

const MEMORY_MAGIC = 'GSCGMEM1';
const MEMORY_NAME = 'memory of a linked graph';

interface MemoryMeta {
  version: number;
  fingerprint: string;
}

export function encodeMemory(memory: unknown): Buffer {
  const { version, fingerprint, strings, facts, importSymbol, ...columns } = memory as LinkMemory;
  const meta: MemoryMeta = { version, fingerprint };
  return packSections(MEMORY_MAGIC, meta, {
    ...columns,
    importSymbol: unsigned(importSymbol),
    factLengths: Uint32Array.from(facts, (bytes) => bytes.length),
    facts: Buffer.concat(facts),
    ...stringSections('string', strings),
  });
}

/**
 * Decodes a memory. Throws SHARD_CORRUPT for bytes that `encodeMemory` did not write. The facts in it are checked when
 * they are read (RECORD_CORRUPT from `linkSnapshot`); the file's checksum ensures that they belong to these files.
 */
export function decodeMemory(bytes: Buffer): unknown {
  return reading<MemoryMeta, LinkMemory>(bytes, MEMORY_MAGIC, MEMORY_NAME, (sections) => {
    const { version, fingerprint } = sections.meta;
    if (typeof version !== 'number' || typeof fingerprint !== 'string')
      corrupt(MEMORY_NAME, 'no version or fingerprint');
    const memory: LinkMemory = {
      version,
      fingerprint,
      strings: readStrings(sections, 'string', MEMORY_NAME),
      facts: cut(sections.u8('facts'), sections.u32('factLengths')),
      importBase: sections.u32('importBase'),
      importKind: sections.u8('importKind'),
      importSymbol: signed(sections.u32('importSymbol')),
      importSpecifier: sections.u32('importSpecifier'),
      importResolution: sections.u32('importResolution'),
      nameBase: sections.u32('nameBase'),
      importedName: sections.u32('importedName'),
      importedAlias: sections.u32('importedAlias'),
      useBase: sections.u32('useBase'),
      useFile: sections.u32('useFile'),
      useName: sections.u32('useName'),
      lookupBase: sections.u32('lookupBase'),
      lookupName: sections.u32('lookupName'),
    };
    check(memory);
    return memory;
  });
}

function cut(all: Uint8Array, lengths: Uint32Array): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const length of lengths) {
    parts.push(all.subarray(at, at + length));
    at += length;
  }
  if (at !== all.length) corrupt(MEMORY_NAME, 'facts of the wrong length');
  return parts;
}

function check(memory: LinkMemory): void {
  const files = memory.facts.length;
  const { importKind, importedName, useFile, lookupName, importSymbol } = memory;
  bases(memory.importBase, files, importKind.length, MEMORY_NAME);
  bases(memory.nameBase, importKind.length, importedName.length, MEMORY_NAME);
  bases(memory.useBase, files, useFile.length, MEMORY_NAME);
  bases(memory.lookupBase, files, lookupName.length, MEMORY_NAME);
  sameLength(MEMORY_NAME, importKind.length, importSymbol, memory.importSpecifier, memory.importResolution);
  sameLength(MEMORY_NAME, importedName.length, memory.importedAlias);
  sameLength(MEMORY_NAME, useFile.length, memory.useName);
  below(importKind, IMPORT_KINDS.length, MEMORY_NAME);
  below(useFile, files, MEMORY_NAME);
  const { importSpecifier, importResolution, importedAlias, useName } = memory;
  for (const column of [importSpecifier, importResolution, importedName, importedAlias, useName, lookupName]) {
    below(column, memory.strings.length, MEMORY_NAME);
  }
  for (const symbol of importSymbol) if (symbol < -1) corrupt(MEMORY_NAME, 'an import in an invalid symbol');
}

// Columns and strings in a container file.

function corrupt(name: string, what: string): never {
  throw new SocraticodeError('SHARD_CORRUPT', `${name}: ${what}`);
}

/** Runs a reader, and reports any error in it as a damaged file. */
export function reading<M, T>(bytes: Buffer, magic: string, name: string, read: (sections: Sections<M>) => T): T {
  try {
    return read(new Sections<M>(bytes, magic, name));
  } catch (cause) {
    if (cause instanceof SocraticodeError) throw cause;
    throw new SocraticodeError('SHARD_CORRUPT', `${name} is damaged`, { cause });
  }
}

function unsigned(values: Int32Array): Uint32Array {
  return new Uint32Array(values.buffer, values.byteOffset, values.length);
}

export function signed(values: Uint32Array): Int32Array {
  return new Int32Array(values.buffer, values.byteOffset, values.length);
}

/** Makes two sections: the text of all strings, and the length of each in UTF-16 units. */
function stringSections(prefix: string, strings: readonly string[]): Record<string, Uint8Array | Uint32Array> {
  return {
    [`${prefix}Lengths`]: Uint32Array.from(strings, (text) => text.length),
    [`${prefix}Text`]: Buffer.from(strings.join('')),
  };
}

function readStrings(sections: Sections<unknown>, prefix: string, name: string): string[] {
  const lengths = sections.u32(`${prefix}Lengths`);
  // Decoding all strings at once and slicing takes a tenth of the time of decoding each.
  const text = sections.bytes(`${prefix}Text`).toString('utf8');
  const strings: string[] = new Array(lengths.length);
  let at = 0;
  for (let i = 0; i < lengths.length; i++) {
    strings[i] = text.slice(at, at + lengths[i]);
    at += lengths[i];
  }
  if (at !== text.length) corrupt(name, 'strings of the wrong length');
  return strings;
}

/** Checks that every value is below `limit`. */
export function below(values: Uint8Array | Uint16Array | Uint32Array, limit: number, name: string): void {
  const isBelow =
    values instanceof Uint32Array
      ? areWordsBelow(values, limit)
      : values instanceof Uint8Array
        ? areBytesBelow(values, limit)
        : values.every((value) => value < limit);
  if (!isBelow) corrupt(name, 'an index out of range');
}

/** A loop for arrays of one width is several times as fast as one for all widths. Columns have millions of values. */
function areWordsBelow(values: Uint32Array, limit: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] >= limit) return false;
  return true;
}

function areBytesBelow(values: Uint8Array, limit: number): boolean {
  for (let i = 0; i < values.length; i++) if (values[i] >= limit) return false;
  return true;
}

/** Checks the bases of lists: ascending from 0 to `end`, one more value than lists. */
export function bases(values: Uint32Array, lists: number, end: number, name: string): void {
  if (values.length !== lists + 1 || values[0] !== 0 || values[lists] !== end)
    corrupt(name, 'lists of the wrong length');
  for (let i = 0; i < lists; i++) if (values[i] > values[i + 1]) corrupt(name, 'lists out of order');
}

function sameLength(name: string, length: number, ...columns: readonly ArrayLike<number>[]): void {
  for (const column of columns) if (column.length !== length) corrupt(name, 'columns of different lengths');
}
