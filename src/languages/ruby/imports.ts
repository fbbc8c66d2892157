/** Ruby: files next to the file, and files below the directories that Ruby, Rails and gems look into. */
import {
  external,
  type ImportResolver,
  type ImportRules,
  type Resolution,
  type Specified,
  UNRESOLVED,
} from '../roles/imports.js';
import { baseName, commonDepth, directoryOf, join, under } from '../roles/paths.js';
import type { Project } from '../roles/project.js';

/** From the repository root. Directories of `app/` and of gems are added to them. */
const LOAD_PATH = ['lib', 'app', 'spec', 'test', '', 'tests', 'features'];

/** Files of one name that are looked at. */
const MAX_CANDIDATES = 500;

export const RUBY: ImportRules = {
  readsNames: false,
  create: (project) => new Ruby(project),
};

class Ruby implements ImportResolver {
  private roots: Set<string> | null = null;

  constructor(private readonly project: Project) {}

  resolve(file: number, { kind, specifier }: Specified): Resolution {
    const directory = this.project.directory(file);
    if (kind === 'include' || specifier.startsWith('./') || specifier.startsWith('../')) {
      return this.at(directory, specifier) ?? (kind === 'include' ? this.at('', specifier) : null) ?? UNRESOLVED;
    }
    const found = this.loaded(directory, specifier);
    return found ?? external(specifier.split('/', 1)[0]);
  }

  /** Several gems of a repository can have such a file: the nearest one's, else the first on the path. */
  private loaded(directory: string, specifier: string): Resolution | null {
    const path = join('', specifier.endsWith('.rb') ? specifier : `${specifier}.rb`);
    if (path === null || path === '') return null;
    let best: string | null = null;
    let depth = -1;
    for (const file of this.project.named(baseName(path)).slice(0, MAX_CANDIDATES)) {
      const candidate = this.project.path(file);
      const root = candidate === path ? '' : candidate.slice(0, -path.length - 1);
      if (under(root, path) !== candidate || !this.loadPath().has(root)) continue;
      const common = commonDepth(`${directory}/`, `${root}/`);
      if (common > depth) [best, depth] = [candidate, common];
    }
    return best === null ? null : this.project.at(best);
  }

  private at(directory: string, specifier: string): Resolution | null {
    const path = join(directory, specifier);
    if (path === null || path === '') return null;
    return this.project.at(`${path}.rb`) ?? this.project.at(path);
  }

  private loadPath(): Set<string> {
    if (this.roots !== null) return this.roots;
    const found = new Set(LOAD_PATH);
    for (const file of this.project.filesOfLanguages(['ruby'])) {
      const directory = this.project.directory(file);
      const names = directory.split('/');
      // `app/models`, and the `lib` of gems within the repository.
      const app = names.indexOf('app');
      if (app >= 0 && app + 1 < names.length) found.add(names.slice(0, app + 2).join('/'));
      const lib = names.indexOf('lib');
      if (lib > 0) found.add(names.slice(0, lib + 1).join('/'));
      if (this.project.path(file).endsWith('.gemspec')) found.add(under(directoryOf(this.project.path(file)), 'lib'));
    }
    this.roots = found;
    return this.roots;
  }
}
