/** Imports and packages of PHP: classes by the autoload rules of composer.json, or by the declarations of files; included files by path. */
import { addTo } from '../../base/lists.js';
import type { PackageRules, PublishedPackage } from '../language.js';
import { PHP_NAMES } from '../library-names.js';
import {
  directoryOf,
  entries,
  external,
  field,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  join,
  Namespaces,
  type Project,
  parseJson,
  type Resolution,
  type Specified,
  text,
  texts,
  UNRESOLVED,
  versionsIn,
} from '../roles/project.js';
import { viewNamed } from '../web/views.js';

const LANGUAGES = ['php'];
const AUTOLOADS = ['autoload', 'autoload-dev'];
/** `__DIR__ . '/x.php'`, `dirname(__FILE__) . '/x.php'`: the path starts in the file's own directory. */
const OWN_DIRECTORY = /^(?:__DIR__|dirname\(__FILE__\))\s*\.?\s*['"]?/;

export const PHP: ImportRules = {
  readsNames: true,
  libraryNames: PHP_NAMES,
  create: (project) => new Php(project),
};

/** A namespace and the directories with its classes. `keeps`: the namespace is part of their paths (PSR-0). */
interface Rule {
  prefix: string;
  directories: string[];
  keeps: boolean;
}

class Php implements ImportResolver {
  private readonly namespaces: Namespaces;
  private readonly autoload: Autoload;

  constructor(private readonly project: Project) {
    this.autoload = new Autoload(project);
    this.namespaces = new Namespaces(project, LANGUAGES, '');
  }

  resolve(file: number, { kind, specifier, names }: Specified): Resolution {
    if (specifier[0] === '|') return viewNamed(this.project, file, specifier);
    if (kind === 'include' || kind === 'include-system') return this.included(file, specifier);
    const namespace = specifier.replace(/^namespace\b/i, () => this.ownNamespace(file)).replace(/^\\/, '');
    const wanted = names.filter(({ name }) => name !== '*').map(({ name }) => name);
    if (wanted.length === 0) return this.wholeName(file, namespace);
    const found = [...new Set(wanted.flatMap((name) => this.named(file, namespace, name)))];
    if (found.length > 0) return { kind: 'files', paths: found, tier: 'path' };
    // `use App\Models;`, then `Models\Cart`.
    const inner = namespace === '' ? wanted[0] : `${namespace}\\${wanted[0]}`;
    return this.namespaces.has(inner) ? this.namespaces.resolution(inner) : this.outside(inner, namespace);
  }

  private ownNamespace(file: number): string {
    return this.project.input.declared(file)[0] ?? '';
  }

  /** Are both files of one namespace? PHP finds its classes by autoloading, without any `use`. */
  isPeer(file: number, other: number): boolean {
    return this.namespaces.share(file, other);
  }

  neighbours(file: number): readonly number[] {
    return this.namespaces.neighbours(file);
  }

  private wholeName(file: number, name: string): Resolution {
    const cut = name.lastIndexOf('\\');
    const paths = this.named(file, name.slice(0, Math.max(0, cut)), name.slice(cut + 1));
    if (paths.length > 0) return { kind: 'files', paths, tier: 'path' };
    return this.namespaces.has(name) ? this.namespaces.resolution(name) : this.outside(name);
  }

  private outside(name: string, namespace = name): Resolution {
    return this.namespaces.has(namespace) && namespace !== '' ? UNRESOLVED : external(name.split('\\', 1)[0]);
  }

  private named(file: number, namespace: string, name: string): string[] {
    const autoloaded = this.autoload.file(namespace === '' ? name : `${namespace}\\${name}`);
    if (autoloaded !== null) return [autoloaded];
    const declared = this.namespaces.defining(namespace, name);
    return this.project.nearest(this.project.path(file), declared).map((found) => this.project.path(found));
  }

  private included(file: number, specifier: string): Resolution {
    const path = specifier.replace(OWN_DIRECTORY, '').replace(/^\/+/, '');
    const directory = this.project.directory(file);
    for (const base of [directory, '']) {
      const at = join(base, path);
      const found = at === null ? null : this.project.at(at);
      if (found !== null) return found;
    }
    return UNRESOLVED;
  }
}

/** Files of classes by the rules of composer.json. */
export class Autoload {
  /** Rules by prefix, without the last `\`. */
  private rules: Map<string, Rule[]> | null = null;
  private readonly known = new Map<string, string | null>();

  constructor(private readonly project: Project) {}

  /** The file of a class with its namespace, null for one of no known place. */
  file(className: string): string | null {
    return getOrMake(this.known, className, () => this.find(className));
  }

  /** The file of a class; the longest prefix comes first. */
  private find(className: string): string | null {
    const rules = this.autoloadRules();
    for (
      let end = className.length;
      end >= 0;
      end = end === 0 ? -1 : Math.max(0, className.lastIndexOf('\\', end - 1))
    ) {
      for (const { prefix, directories, keeps } of rules.get(className.slice(0, end)) ?? []) {
        const rest = keeps ? className.replaceAll('_', '\\') : className.slice(prefix === '' ? 0 : end + 1);
        const relative = `${rest.replaceAll('\\', '/')}.php`;
        for (const directory of directories) {
          const path = join(directory, relative);
          if (path !== null && this.project.has(path)) return path;
        }
      }
    }
    return null;
  }

  private autoloadRules(): Map<string, Rule[]> {
    if (this.rules !== null) return this.rules;
    const found = new Map<string, Rule[]>();
    for (const path of this.project.manifestsNamed('composer.json')) {
      const manifest = this.project.json(path);
      for (const autoload of AUTOLOADS) {
        for (const standard of ['psr-4', 'psr-0']) {
          for (const [written, places] of entries(field(field(manifest, autoload), standard))) {
            const prefix = written.replace(/\\$/, '');
            const directories = [...texts(places), ...[text(places) ?? []].flat()].flatMap(
              (place) => join(directoryOf(path), place) ?? [],
            );
            const rule = { prefix, directories, keeps: standard === 'psr-0' };
            getOrMake(found, prefix, (): Rule[] => []).push(rule);
          }
        }
      }
    }
    this.rules = found;
    return found;
  }
}

const DEPENDENCY_FIELDS = ['require', 'require-dev'];

export const COMPOSER: PackageRules = {
  published: (project) =>
    project.manifestsNamed('composer.json').flatMap((manifest): PublishedPackage[] => {
      const value = project.json(manifest);
      const name = text(field(value, 'name'));
      if (name === undefined) return [];
      const autoload = field(value, 'autoload');
      const places = [...entries(field(autoload, 'psr-4')), ...entries(field(autoload, 'psr-0'))]
        .flatMap(([, place]) => (Array.isArray(place) ? place : [place]))
        .flatMap((place) => join(directoryOf(manifest), text(place) ?? '') ?? []);
      const namespaces = new Map<string, number[]>();
      for (const file of project.filesOfLanguages(['php'])) {
        const path = project.path(file);
        const [declared] = project.input.declared(file);
        const isOwn = places.some((place) => place === '' || path.startsWith(`${place}/`));
        if (declared !== undefined && isOwn) addTo(namespaces, declared, file);
      }
      return [{ name, manifest, modules: [...namespaces].map(([specifier, files]) => ({ specifier, files })) }];
    }),
  dependencies: (_, content) => versionsIn(parseJson(content), DEPENDENCY_FIELDS),
};
