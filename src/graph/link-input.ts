/** What the link step is given, and what it keeps so that the next snapshot costs only what changed. */
import type { CodeSymbol } from '../extract/facts.js';
import type { Relations } from '../extract/relations.js';
import type { FileState, GraphTables } from './types.js';

/** One file of the snapshot. `oid` and `language` name its facts. */
export interface SourceFile {
  path: string;
  oid: string;
  language: string;
  state: FileState;
  /** Bytes of its blob, where that is known. */
  size?: number;
}

/** What linking needs of a file's facts. */
export interface LinkFacts {
  lines: number;
  symbols: readonly LinkSymbol[];
  relations: Relations;
}

export type LinkSymbol = Pick<CodeSymbol, 'name' | 'kind' | 'container' | 'exported' | 'startLine' | 'endLine'>;

export interface LinkInput {
  /** In the order of `GraphTables.files`. */
  files: readonly SourceFile[];
  /** Facts of files with the state `linked` or `degraded` that `missingFacts` asked for. */
  facts: ReadonlyMap<string, LinkFacts>;
  /** Paths of the snapshot that are no files of the graph: binary files, excluded ones. */
  others: ReadonlySet<string>;
  /** Text of the manifests that say what specifiers mean (`isManifest`), by path. */
  manifests: ReadonlyMap<string, string>;
}

/** Key of `LinkInput.facts`. */
export function factsKey({ oid, language }: Pick<SourceFile, 'oid' | 'language'>): string {
  return `${oid} ${language}`;
}

/** A linked snapshot: its graph, and what makes relinking after a small change cheap. */
export interface LinkedSnapshot {
  tables: GraphTables;
  /** Owned by `link/`; written and read by `store/`. */
  memory: unknown;
}
