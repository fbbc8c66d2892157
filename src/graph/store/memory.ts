/** Encodes the memory of a linked snapshot as a file of its own, so that queries need not read it. */
import { packSections } from '../../base/sections.js';
import { IMPORT_KINDS } from '../../languages/roles/relation-facts.js';
import type { LinkMemory } from '../link/memory.js';
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

const MAGIC = 'GSCGMEM1';
const NAME = 'memory of a linked graph';

interface Meta {
  version: number;
  fingerprint: string;
}

export function encodeMemory(memory: unknown): Buffer {
  const { version, fingerprint, strings, facts, importSymbol, ...columns } = memory as LinkMemory;
  const meta: Meta = { version, fingerprint };
  return packSections(MAGIC, meta, {
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
  return reading<Meta, LinkMemory>(bytes, MAGIC, NAME, (sections) => {
    const { version, fingerprint } = sections.meta;
    if (typeof version !== 'number' || typeof fingerprint !== 'string') corrupt(NAME, 'no version or fingerprint');
    const memory: LinkMemory = {
      version,
      fingerprint,
      strings: readStrings(sections, 'string', NAME),
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
  if (at !== all.length) corrupt(NAME, 'facts of the wrong length');
  return parts;
}

function check(memory: LinkMemory): void {
  const files = memory.facts.length;
  const { importKind, importedName, useFile, lookupName, importSymbol } = memory;
  bases(memory.importBase, files, importKind.length, NAME);
  bases(memory.nameBase, importKind.length, importedName.length, NAME);
  bases(memory.useBase, files, useFile.length, NAME);
  bases(memory.lookupBase, files, lookupName.length, NAME);
  sameLength(NAME, importKind.length, importSymbol, memory.importSpecifier, memory.importResolution);
  sameLength(NAME, importedName.length, memory.importedAlias);
  sameLength(NAME, useFile.length, memory.useName);
  below(importKind, IMPORT_KINDS.length, NAME);
  below(useFile, files, NAME);
  const { importSpecifier, importResolution, importedAlias, useName } = memory;
  for (const column of [importSpecifier, importResolution, importedName, importedAlias, useName, lookupName]) {
    below(column, memory.strings.length, NAME);
  }
  for (const symbol of importSymbol) if (symbol < -1) corrupt(NAME, 'an import in an invalid symbol');
}
