/** Haskell: a module is the file whose header says so. */
import { external, type ImportResolver, type ImportRules, type Resolution, type Specified } from '../roles/imports.js';
import { Namespaces } from '../roles/namespaces.js';
import type { Project } from '../roles/project.js';

/** A file says which module it is; without a header, its path does. */
export const HASKELL: ImportRules = {
  readsNames: true,
  create: (project) => new Haskell(project),
};

/** Files of one name that are looked at. */
const MAX_CANDIDATES = 500;
const HASKELL_ENDINGS = ['.hs', '.lhs', '.hsc'];

class Haskell implements ImportResolver {
  private readonly modules: Namespaces;

  constructor(private readonly project: Project) {
    this.modules = new Namespaces(project, ['haskell'], null);
  }

  resolve(file: number, { specifier }: Specified): Resolution {
    const declared = this.modules.files(specifier);
    const path = specifier.replaceAll('.', '/');
    const found = declared.length > 0 ? declared : HASKELL_ENDINGS.flatMap((ending) => this.placed(path + ending));
    if (found.length === 0) return external(specifier);
    return this.project.toFiles(this.project.nearest(this.project.path(file), found), 'path');
  }

  private placed(path: string): number[] {
    const named = this.project.named(path.slice(path.lastIndexOf('/') + 1));
    return named
      .slice(0, MAX_CANDIDATES)
      .filter((file) => this.project.path(file) === path || this.project.path(file).endsWith(`/${path}`));
  }
}
