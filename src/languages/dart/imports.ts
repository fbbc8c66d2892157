/** Dart: paths, and `package:` URIs of the repository's own packages. */
import {
  external,
  type ImportResolver,
  type ImportRules,
  type Resolution,
  type Specified,
  UNRESOLVED,
} from '../roles/imports.js';
import { directoryOf, join, under } from '../roles/paths.js';
import type { Project } from '../roles/project.js';
import { yamlWord } from '../roles/yaml.js';

const PACKAGE = /^package:([^/]+)\/(.*)$/s;
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

export const DART: ImportRules = {
  readsNames: false,
  create: (project) => new Dart(project),
};

class Dart implements ImportResolver {
  private packages: Map<string, string> | null = null;

  constructor(private readonly project: Project) {}

  resolve(file: number, { specifier }: Specified): Resolution {
    const inPackage = PACKAGE.exec(specifier);
    if (inPackage !== null) {
      const directory = this.packageDirectories().get(inPackage[1]);
      if (directory === undefined) return external(inPackage[1]);
      return this.at(under(directory, 'lib'), inPackage[2]);
    }
    const scheme = SCHEME.exec(specifier);
    return scheme === null ? this.at(this.project.directory(file), specifier) : external(specifier.split('/', 1)[0]);
  }

  private at(directory: string, specifier: string): Resolution {
    const path = join(directory, specifier);
    return (path === null ? null : this.project.at(path)) ?? UNRESOLVED;
  }

  private packageDirectories(): Map<string, string> {
    if (this.packages !== null) return this.packages;
    this.packages = new Map();
    for (const path of this.project.manifestsNamed('pubspec.yaml')) {
      const name = yamlWord(this.project.manifest(path) ?? '', 'name');
      if (name !== '' && !this.packages.has(name)) this.packages.set(name, directoryOf(path));
    }
    return this.packages;
  }
}
