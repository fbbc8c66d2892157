/** Role of a reader of packages: the names under which other repositories import this one, and the packages that it depends on. */
import type { Project } from './project.js';

/** One module of a package, as other repositories name it in an import. */
export interface PublishedModule {
  /** As an import writes it: `flask.views`, `@shop/cart/tax`, `github.com/shop/cart`. */
  specifier: string;
  /** Numbers of the files that an import of it means. */
  files: readonly number[];
}

export interface PublishedPackage {
  /** As lists of dependencies name it. */
  name: string;
  /** Path of the manifest that names it. */
  manifest: string;
  modules: PublishedModule[];
}

export interface Dependency {
  name: string;
  /** As the manifest writes it, '' where it names none. */
  version: string;
}

/** Total: a manifest that cannot be read publishes nothing and depends on nothing. */
export interface PackageRules {
  published(project: Project): PublishedPackage[];
  /** `manifest`: base name of the file. */
  dependencies(manifest: string, content: string): Dependency[];
}
