/** C#: namespaces, which any number of files share. */
import {
  external,
  type ImportResolver,
  type ImportRules,
  type Resolution,
  type Specified,
  UNRESOLVED,
} from '../roles/imports.js';
import { Namespaces } from '../roles/namespaces.js';
import { getOrMake, type Project } from '../roles/project.js';

const LANGUAGES = ['csharp'];
const GLOBAL = 'global::';
const MAX_DEPTH = 40;

export const CSHARP: ImportRules = {
  readsNames: true,
  create: (project) => new CSharp(project),
};

class CSharp implements ImportResolver {
  private readonly namespaces: Namespaces;
  private readonly scopes = new Map<number, readonly string[]>();
  private readonly known = new Map<string, readonly number[]>();

  constructor(private readonly project: Project) {
    this.namespaces = new Namespaces(project, LANGUAGES, '');
  }

  resolve(file: number, { specifier, names }: Specified): Resolution {
    const isGlobal = specifier.startsWith(GLOBAL);
    const written = isGlobal ? specifier.slice(GLOBAL.length) : specifier;
    for (const prefix of isGlobal ? [''] : ['', ...this.enclosing(file).map((name) => `${name}.`)]) {
      const found = this.find(file, prefix + written, names);
      if (found !== null) return found;
    }
    return external(written.split('.', 2).join('.'));
  }

  neighbours(file: number): readonly number[] {
    const scopes = this.enclosing(file);
    return getOrMake(this.known, scopes.join(' '), () =>
      [...new Set([...scopes, ''].flatMap((name) => this.namespaces.files(name)))].sort((a, b) => a - b),
    );
  }

  /** Names of the same namespaces, of those around them and of the global one are all in scope. */
  isPeer(file: number, other: number): boolean {
    const scopes = this.enclosing(file);
    return this.namespaces.of(other).some((name) => name === '' || scopes.includes(name));
  }

  private find(file: number, written: string, names: Specified['names']): Resolution | null {
    if (this.namespaces.has(written)) {
      const wanted = names.filter(({ name }) => name !== '*');
      if (wanted.length === 0) return this.namespaces.resolution(written);
      const found = [...new Set(wanted.flatMap(({ name }) => this.namespaces.defining(written, name)))];
      if (found.length > 0) return this.project.toFiles(this.project.nearest(this.project.path(file), found), 'path');
      return UNRESOLVED;
    }
    // `using static A.B.Type`, and types within types.
    let end = written.lastIndexOf('.');
    for (let depth = 0; end > 0 && depth < MAX_DEPTH; depth++) {
      const namespace = written.slice(0, end);
      if (this.namespaces.has(namespace)) {
        const type = written.slice(end + 1).split('.', 1)[0];
        const found = this.project.nearest(this.project.path(file), this.namespaces.defining(namespace, type));
        return found.length === 0 ? null : this.project.toFiles(found, 'path');
      }
      end = written.lastIndexOf('.', end - 1);
    }
    return null;
  }

  /** Namespaces of a file and those around them, without the global one. */
  private enclosing(file: number): readonly string[] {
    return getOrMake(this.scopes, file, () => [...new Set(this.namespaces.of(file).flatMap(outwards))]);
  }
}

/** `A.B.C`, `A.B`, `A`. */
function outwards(namespace: string): string[] {
  const found: string[] = [];
  for (let at = namespace; at !== '' && found.length < MAX_DEPTH; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    found.push(at);
  }
  return found;
}
