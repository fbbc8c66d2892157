/** Input and result of the link step. */
import type { CodeSymbol } from '../extract/facts.js';
import type { Relations } from '../languages/roles/relation-facts.js';
import type { FileState, GraphTables } from './types.js';

/** File of the snapshot. `oid` and `language` identify its facts. */
export interface SourceFile {
  path: string;
  oid: string;
  language: string;
  state: FileState;
  /** Object id of the note that holds what a compiler told about the blob, if there is one. */
  compiled?: string;
  /** Size of its blob in bytes, if known. */
  size?: number;
}

/** Part of a file's facts that linking needs. */
export interface LinkFacts {
  lines: number;
  symbols: readonly LinkSymbol[];
  relations: Relations;
  /** Names whose meaning a compiler told (`encodeOccurrences`), if there is such a record. */
  compiled?: Uint8Array;
}

export type LinkSymbol = Pick<CodeSymbol, 'name' | 'kind' | 'container' | 'exported' | 'startLine' | 'endLine'>;

export interface LinkInput {
  /** Files in the order of `GraphTables.files`. */
  files: readonly SourceFile[];
  /** Facts of files with the state `linked` or `degraded` that `missingFacts` asked for. */
  facts: ReadonlyMap<string, LinkFacts>;
  /** Paths of the snapshot that are not in the graph, such as binary and excluded files. */
  others: ReadonlySet<string>;
  /** Text of the manifests by path. They tell how import specifiers resolve (see `isManifest`). */
  manifests: ReadonlyMap<string, string>;
}

/** Key of a file in `LinkInput.facts`. */
export function factsKey({ oid, language, compiled }: Pick<SourceFile, 'oid' | 'language' | 'compiled'>): string {
  return compiled === undefined ? `${oid} ${language}` : `${oid} ${language} ${compiled}`;
}

/** Linked snapshot: its graph, and a memory that makes relinking after a small change cheap. */
export interface LinkedSnapshot {
  tables: GraphTables;
  /** Opaque outside of `link/` and `store/`. */
  memory: unknown;
}

/** Version of the link rules. Snapshots linked under another version are linked again. */
export const LINK_VERSION = 18;
