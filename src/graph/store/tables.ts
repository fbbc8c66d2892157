/** Encodes the graph of a snapshot as a file. */
import { packSections, type Sections } from '../../base/sections.js';
import { SYMBOL_KINDS } from '../../extract/facts.js';
import { EDGE_KINDS, EVIDENCE_TIERS, FILE_STATES, type GraphFile, type GraphTables } from '../types.js';
import {
  bases,
  below,
  corrupt,
  reading,
  readStrings,
  sameLength,
  signed,
  stringSections,
  unsigned,
} from './columns.js';

const MAGIC = 'GSCGRPH2';
const NAME = 'linked graph';
/** Lengths of SHA-1 and SHA-256 ids in hexadecimal. Ids of uncommitted files have the same form. */
const OID_LENGTHS: ReadonlySet<number> = new Set([40, 64]);
const KNOWN_FLAGS = 1;

interface Meta {
  languages: string[];
  oidLength: number;
}

export function encodeTables(tables: GraphTables): Buffer {
  const { files, strings, nodeContainer, edgeTo, ...columns } = tables;
  const languages = [...new Set(files.map(({ language }) => language))].sort();
  const numbers = new Map(languages.map((language, i) => [language, i]));
  const meta: Meta = { languages, oidLength: files[0]?.oid.length ?? 40 };
  return packSections(MAGIC, meta, {
    fileOid: Buffer.from(files.map(({ oid }) => oid).join(''), 'latin1'),
    fileLanguage: Uint16Array.from(files, ({ language }) => numbers.get(language) ?? 0),
    fileCompiled: Buffer.from(compiledIds(files), 'latin1'),
    fileState: Uint8Array.from(files, ({ state }) => FILE_STATES.indexOf(state)),
    ...columns,
    nodeContainer: unsigned(nodeContainer),
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
  return reading<Meta, GraphTables>(bytes, MAGIC, NAME, (sections) => {
    const columns = {
      nodeBase: sections.u32('nodeBase'),
      nodeName: sections.u32('nodeName'),
      nodeKind: sections.u8('nodeKind'),
      nodeFlags: sections.u8('nodeFlags'),
      nodeContainer: signed(sections.u32('nodeContainer')),
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
      strings: readStrings(sections, 'string', NAME),
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
  bases(nodeBase, files, total, NAME);
  sameLength(NAME, total, nodeKind, nodeFlags, nodeContainer, nodeStartLine, nodeEndLine);
  if (nodeMoniker.length > 0) sameLength(NAME, 2 * total, nodeMoniker);
  below(nodeName, strings.length, NAME);
  below(nodeKind, SYMBOL_KINDS.length + 1, NAME);
  below(nodeFlags, KNOWN_FLAGS + 1, NAME);
  for (let file = 0; file < files; file++) {
    const first = nodeBase[file];
    if (nodeBase[file + 1] === first) corrupt(NAME, 'a file without a node');
    if (nodeKind[first] !== 0 || nodeContainer[first] !== -1) corrupt(NAME, 'a file node that is a symbol');
    for (let node = first + 1; node < nodeBase[file + 1]; node++) {
      // Containers precede their members, so that walking up the containers ends.
      if (nodeKind[node] === 0 || nodeContainer[node] < first || nodeContainer[node] >= node) {
        corrupt(NAME, 'a symbol with an invalid container');
      }
      if (nodeEndLine[node] < nodeStartLine[node]) corrupt(NAME, 'a symbol that ends before it begins');
    }
  }
}

function checkEdges(tables: Columns): void {
  const { nodeName, edgeBase, edgeTo, edgeKind, edgeTier, edgeLine, edgeSpan, strings } = tables;
  const { edgeName, edgeReceiver, edgeLiteral } = tables;
  const total = edgeTo.length;
  bases(edgeBase, nodeName.length, total, NAME);
  sameLength(NAME, total, edgeKind, edgeTier, edgeLine, edgeSpan, edgeName, edgeReceiver, edgeLiteral);
  below(edgeKind, EDGE_KINDS.length, NAME);
  below(edgeTier, EVIDENCE_TIERS.length, NAME);
  for (const column of [edgeName, edgeReceiver, edgeLiteral]) below(column, strings.length, NAME);
  const nodes = nodeName.length;
  for (let edge = 0; edge < total; edge++)
    if (edgeTo[edge] < -1 || edgeTo[edge] >= nodes) corrupt(NAME, 'an edge to an invalid node');
}

function readFiles(sections: Sections<Meta>, { strings, nodeName, nodeBase }: Columns, count: number): GraphFile[] {
  const { languages, oidLength } = sections.meta;
  const oids = sections.bytes('fileOid').toString('latin1');
  const compiled = sections.bytes('fileCompiled').toString('latin1');
  const fileLanguage = sections.u16('fileLanguage');
  const fileState = sections.u8('fileState');
  if (!OID_LENGTHS.has(oidLength) || oids.length !== count * oidLength) corrupt(NAME, 'ids of the wrong length');
  if (compiled !== '' && compiled.length !== oids.length) corrupt(NAME, 'records of the wrong length');
  if (!Array.isArray(languages) || !languages.every((name) => typeof name === 'string'))
    corrupt(NAME, 'an invalid list of languages');
  sameLength(NAME, count, fileLanguage);
  below(fileLanguage, languages.length, NAME);
  below(fileState, FILE_STATES.length, NAME);
  const files: GraphFile[] = [];
  for (let i = 0; i < count; i++) {
    const path = strings[nodeName[nodeBase[i]]];
    if (i > 0 && path <= files[i - 1].path) corrupt(NAME, 'paths out of order');
    const [start, end] = [i * oidLength, (i + 1) * oidLength];
    const [oid, language, state] = [oids.slice(start, end), languages[fileLanguage[i]], FILE_STATES[fileState[i]]];
    const id = compiled === '' ? '' : compiled.slice(start, end);
    files.push(/^0*$/.test(id) ? { path, oid, language, state } : { path, oid, language, state, compiled: id });
  }
  return files;
}
