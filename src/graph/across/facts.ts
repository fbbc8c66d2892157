/**
 * Facts of one snapshot that say what other repositories can use of it, and what it uses of others: plain data, so that a server
 * can keep those of thousands of repositories. Nothing here is resolved across repositories: `edges.ts` and `routes.ts` do that.
 */

/** A package that the repository publishes. */
export interface PublishedName {
  ecosystem: string;
  /** As lists of dependencies write it. */
  name: string;
  /** Path of its manifest. */
  manifest: string;
}

/** A name that a module of a package exports, and the definition that it stands for. */
export interface ExportedName {
  /** Index into `packages`. */
  package: number;
  /** Specifier of the module, as an import writes it. */
  module: string;
  /** `Flask`; of a member of an exported type `Flask.route`. */
  name: string;
  path: string;
  /** Qualified name of the definition; null where the name stands for a whole file. */
  symbol: string | null;
  line: number;
  /** Another module than the one that is imported defines it. */
  reexported?: true;
  /** Name of the type that it returns, where it is a function and says so. */
  result?: string;
}

export interface DependsOn {
  ecosystem: string;
  name: string;
  version: string;
}

/** Uses of one name of a foreign module in one function, or at the top level of one file. */
export interface UsedName {
  ecosystem: string;
  specifier: string;
  /** As the module exports it, with a member after a dot; '' where only the import of the module is known. */
  name: string;
  path: string;
  /** The enclosing symbol; null at top level. */
  symbol: string | null;
  /** First use; of a name that is imported and not used, the import. */
  line: number;
  /** Number of uses; 0 for the import alone. */
  uses: number;
  /** The name before the dot is not written at the use: a declared type or a first value told it. */
  told?: true;
}

/** A route that the repository serves. */
export interface ServedRoute {
  /** Upper case; ANY where it is not told. */
  method: string;
  /** As written: `/users/:id`. */
  route: string;
  path: string;
  line: number;
  /** Qualified name of the function that answers, null if it is not known, and the file of it. */
  handler: { path: string; symbol: string | null } | null;
}

/** A call that sends a request. */
export interface ClientCall {
  /** Upper case; ANY where it is not told. */
  method: string;
  /** Path with `*` for each part that is not written: `/users/*`. Without scheme, host and query. */
  route: string;
  /** A value that is not known stands before the path: it may end in further parts. */
  below?: true;
  /** A client sends it that may be made with a base: a server's path may begin with `/api`, and no more than that. */
  based?: true;
  path: string;
  symbol: string | null;
  line: number;
}

export interface LinkedFacts {
  packages: PublishedName[];
  exports: ExportedName[];
  dependencies: DependsOn[];
  uses: UsedName[];
  routes: ServedRoute[];
  calls: ClientCall[];
}
