/** C#: namespaces, which any number of files share. */
import { addTo } from '../../base/lists.js';
import {
  directoryOf,
  external,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  Namespaces,
  type Project,
  type Resolution,
  type Specified,
  UNRESOLVED,
} from '../roles/project.js';

/** Beginning of the specifier by which a file declares a `global using`. */
export const GLOBAL_USING = 'global using ';

/** Specifier of files with types in the global namespace beside types in others, and beginning of one from that namespace on. */
export const GLOBAL_NAMESPACE = 'global::';

const INCLUDED = /<Using\s+Include="([\w.]+)"\s*\/?>/g;
/** Most usings of a project; one with more is generated. */
const MAX_USINGS = 500;

/** Namespaces by the directory below which they are imported. */
function globalUsings(project: Project, language: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of project.filesOfLanguages([language])) {
    for (const declared of project.input.declared(file)) {
      if (!declared.startsWith(GLOBAL_USING)) continue;
      const directory = directoryOf(project.path(file)).replace(/(?:^|\/)Properties$/, '');
      addTo(found, directory, declared.slice(GLOBAL_USING.length));
    }
  }
  for (const [path, text] of project.input.manifests) {
    if (!/\.(?:csproj|props)$/.test(path)) continue;
    for (const [, namespace] of [...text.matchAll(INCLUDED)].slice(0, MAX_USINGS))
      addTo(found, directoryOf(path), namespace);
  }
  return found;
}

const LANGUAGES = ['csharp'];
const MAX_DEPTH = 40;

export const CSHARP: ImportRules = {
  readsNames: true,
  create: (project) => new CSharp(project),
};

class CSharp implements ImportResolver {
  private readonly namespaces: Namespaces;
  private readonly scopes = new Map<number, readonly string[]>();
  private readonly known = new Map<string, readonly number[]>();
  private readonly seen = new Map<number, readonly string[]>();
  private usings: ReadonlyMap<string, readonly string[]> | null = null;

  constructor(private readonly project: Project) {
    this.namespaces = new Namespaces(project, LANGUAGES, '');
  }

  resolve(file: number, { specifier, names }: Specified): Resolution {
    const isGlobal = specifier.startsWith(GLOBAL_NAMESPACE);
    const written = isGlobal ? specifier.slice(GLOBAL_NAMESPACE.length) : specifier;
    for (const prefix of isGlobal ? [''] : ['', ...this.enclosing(file).map((name) => `${name}.`)]) {
      const found = this.find(file, prefix + written, names);
      if (found !== null) return found;
    }
    return external(written.split('.', 2).join('.'));
  }

  neighbours(file: number): readonly number[] {
    const scopes = this.visible(file);
    return getOrMake(this.known, scopes.join(' '), () =>
      [...new Set([...scopes, '', GLOBAL_NAMESPACE].flatMap((name) => this.namespaces.files(name)))].sort(
        (a, b) => a - b,
      ),
    );
  }

  /** The names of the same namespaces, of those around them, of the global one and of global usings are all in scope. */
  isPeer(file: number, other: number): boolean {
    const scopes = this.visible(file);
    return this.namespaces.of(other).some((name) => name === '' || name === GLOBAL_NAMESPACE || scopes.includes(name));
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
    return getOrMake(this.scopes, file, () => [
      ...new Set(
        this.namespaces
          .of(file)
          .filter((name) => !name.startsWith(GLOBAL_USING))
          .flatMap(outwards),
      ),
    ]);
  }

  /** Namespaces whose names a file sees without a using of its own. */
  private visible(file: number): readonly string[] {
    this.usings ??= globalUsings(this.project, LANGUAGES[0]);
    const scopes = this.enclosing(file);
    if (this.usings.size === 0) return scopes;
    return getOrMake(this.seen, file, () => {
      const found = new Set(scopes);
      for (const directory of directoriesAbove(this.project.directory(file)))
        for (const name of this.usings?.get(directory) ?? []) found.add(name);
      return [...found];
    });
  }
}

/** `a/b`, `a`, and the root. */
function directoriesAbove(directory: string): string[] {
  const found: string[] = [];
  for (let at = directory; at !== '' && found.length < MAX_DEPTH; at = directoryOf(at)) found.push(at);
  return [...found, ''];
}

/** `A.B.C`, `A.B`, `A`. */
function outwards(namespace: string): string[] {
  const found: string[] = [];
  for (let at = namespace; at !== '' && found.length < MAX_DEPTH; at = at.slice(0, Math.max(0, at.lastIndexOf('.')))) {
    found.push(at);
  }
  return found;
}
