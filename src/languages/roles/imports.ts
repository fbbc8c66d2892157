/** Roles of import resolution: which file a module specifier means. */

import type { Project } from './project.js';
import type { Import } from './relation-facts.js';

/** Why an import leads nowhere: a package outside, or a mistake; files that are there but not indexed count as `asset`. */
export type Resolution =
  | { kind: 'files'; paths: readonly string[]; tier: 'path' | 'package' }
  | { kind: 'asset'; path: string }
  | { kind: 'external'; package: string }
  | { kind: 'unresolved' };

export interface ResolveInput {
  /** Sorted by path. */
  files: readonly { path: string; language: string }[];
  /** Paths of the snapshot that are no files of the graph. */
  others: ReadonlySet<string>;
  /** Text of every manifest (`isManifest`) by path. */
  manifests: ReadonlyMap<string, string>;
  /** Packages, namespaces or modules that a file declares itself to be part of: the specifiers of its imports of kind `declare`. Asked on demand. */
  declared: (file: number) => readonly string[];
  /**
   * Names that a file defines outside of any symbol. Namespaces and packages that are symbols themselves don't count as
   * an outside: names directly in them are meant, too. Asked on demand.
   */
  topLevelNames: (file: number) => readonly string[];
  /**
   * Names of the modules of the same file that enclose a symbol, itself included, outermost first (`['tests']` for what
   * stands in `mod tests { }`). Rust's `super::` counts them; without it every import is taken to stand at top level.
   */
  enclosingModules?: (file: number, symbol: number) => readonly string[];
}

/** `symbol`: see `Import`; asked for by `enclosingModules` only. */
export type Specified = Pick<Import, 'kind' | 'specifier' | 'names'> & Partial<Pick<Import, 'symbol'>>;

/** One family of languages. Total: whatever the specifier, it answers, and in time linear in its length. */
export interface ImportResolver {
  resolve(file: number, specified: Specified): Resolution;
  /** Files that `isPeer` could be true of, in order; the list is shared. Absent where every use needs an import. */
  neighbours?(file: number): readonly number[];
  /** Does `file` see the names of `other`, of the same ecosystem, without any import? */
  isPeer?(file: number, other: number): boolean;
  /**
   * Of two files that define one name for different platforms, the one whose definition `file` means. Null if they are no such
   * files, so that the definitions differ.
   */
  variant?(file: number, one: number, other: number): number | null;
}

/** How imports of a family of languages are resolved. */
export interface ImportRules {
  /** True if answers depend on `declared` and `topLevelNames`. */
  readsNames: boolean;
  create(project: Project): ImportResolver;
}

export const UNRESOLVED: Resolution = { kind: 'unresolved' };

export function external(name: string): Resolution {
  return { kind: 'external', package: name };
}

export function oneFile(path: string): Resolution {
  return { kind: 'files', paths: [path], tier: 'path' };
}
