/** Data kept for linking the next snapshot: facts, resolved imports and recorded lookups of each file, as columns. */

/** Columns of the memory. In a column with a `…Base`, file `f` has the values from `base[f]` to `base[f + 1] - 1`. */
export interface LinkMemory {
  /** `LINK_VERSION` at the time of linking. */
  version: number;
  /** Fingerprint of everything that import resolution depends on (`Resolver.fingerprint`). */
  fingerprint: string;
  strings: string[];
  /** Encoded facts by file; empty for files without facts. */
  facts: Uint8Array[];
  /** One more value than files. */
  importBase: Uint32Array;
  /** Index into IMPORT_KINDS. */
  importKind: Uint8Array;
  importSymbol: Int32Array;
  /** Indexes into `strings`: the specifier, and the resolution of the import as text. */
  importSpecifier: Uint32Array;
  importResolution: Uint32Array;
  /** One more value than imports. */
  nameBase: Uint32Array;
  /** Indexes into `strings`. */
  importedName: Uint32Array;
  importedAlias: Uint32Array;
  /**
   * Recorded lookups of names in other files: pairs of a file and an index into `strings`. One more base than files.
   */
  useBase: Uint32Array;
  useFile: Uint32Array;
  useName: Uint32Array;
  /** Recorded lookups of names in the whole repository: indexes into `strings`. One more base than files. */
  lookupBase: Uint32Array;
  lookupName: Uint32Array;
}
