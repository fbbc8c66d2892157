/** What is kept of a linked snapshot beside its graph, so that the next one costs only what changed: columns, file for file. */

/** Lists of lists: file `f` has the values from `base[f]` to `base[f + 1] - 1`. */
export interface LinkMemory {
  /** `LINK_VERSION` of the rules that it was made by. */
  version: number;
  /** Of all that import resolution depends on (`Resolver.fingerprint`). */
  fingerprint: string;
  strings: string[];
  /** Facts, packed; empty for files without any. */
  facts: Uint8Array[];
  /** One more value than files. */
  importBase: Uint32Array;
  /** Index into IMPORT_KINDS. */
  importKind: Uint8Array;
  importSymbol: Int32Array;
  /** Indexes into `strings`: the specifier, and what the import led to. */
  importSpecifier: Uint32Array;
  importResolution: Uint32Array;
  /** One more value than imports. */
  nameBase: Uint32Array;
  /** Indexes into `strings`. */
  importedName: Uint32Array;
  importedAlias: Uint32Array;
  /** Names in other files that linking asked about: pairs of a file and an index into `strings`. One more base than files. */
  useBase: Uint32Array;
  useFile: Uint32Array;
  useName: Uint32Array;
  /** Names that linking looked for in the whole repository: indexes into `strings`. One more base than files. */
  lookupBase: Uint32Array;
  lookupName: Uint32Array;
}
