/** Imports of CSS, SCSS, LESS and HTML: relative paths, partials, packages, and files that are served as `/`. */
import { Packages, Probe } from '../ecmascript/packages.js';
import { homes, splitPackage } from '../ecmascript/tsconfig.js';
import {
  baseName,
  directoryOf,
  external,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  join,
  type Project,
  type Resolution,
  type Specified,
  UNRESOLVED,
  under,
} from '../roles/project.js';

/** Endings that the name of a style can leave out. */
const ENDINGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['scss', ['.scss', '.sass', '.css']],
  ['sass', ['.sass', '.scss', '.css']],
  ['less', ['.less', '.css']],
  ['css', ['.css', '.pcss']],
]);
const LOAD_ROOTS = ['', 'src', 'styles', 'src/styles', 'scss', 'src/scss', 'sass', 'assets', 'src/assets', 'app'];
const SERVED = ['', 'public', 'static', 'src', 'assets'];
/** `http:`, `data:`, `sass:math`; and `//host/x`. */
const URL_SCHEME = /^(?:[a-z][a-z\d+.-]+:|\/\/)/i;

export const STYLES: ImportRules = {
  readsNames: false,
  create: (project) => new Styles(project),
};

export class Styles implements ImportResolver {
  private readonly packages: Packages;
  private readonly probe: Probe;
  private readonly known = new Map<string, Map<string, Resolution>>();

  constructor(private readonly project: Project) {
    this.packages = new Packages(project);
    this.probe = new Probe(project, 'javascript');
  }

  resolve(file: number, { specifier }: Specified): Resolution {
    const language = this.project.language(file);
    const byKey = getOrMake(this.known, this.project.directory(file), () => new Map<string, Resolution>());
    return getOrMake(byKey, `${language} ${specifier}`, () =>
      this.find(this.project.directory(file), language, specifier),
    );
  }

  /** `language`: its rules apply; the style blocks of a component may be in any. */
  find(directory: string, language: string, written: string): Resolution {
    if (URL_SCHEME.test(written)) return external(written.startsWith('//') ? written : written.split('/', 1)[0]);
    const specifier = written.split(/[?#]/, 1)[0];
    if (specifier === '') return UNRESOLVED;
    if (specifier.startsWith('/'))
      return this.below(homes(this.project, directory), SERVED, language, specifier) ?? UNRESOLVED;
    const isPackage = specifier.startsWith('~');
    const adjacent = isPackage ? null : this.at(directory, language, specifier);
    if (adjacent !== null) return adjacent;
    if (language === 'html' || specifier.startsWith('.')) return UNRESOLVED;
    const path = specifier.replace(/^~\/?/, '');
    const loaded = this.below(homes(this.project, directory), LOAD_ROOTS, language, path);
    return (
      (isPackage ? null : loaded) ?? this.inPackage(directory, language, path) ?? loaded ?? outside(specifier, path)
    );
  }

  private below(places: Iterable<string>, roots: readonly string[], language: string, path: string): Resolution | null {
    for (const home of places) {
      for (const root of roots) {
        const found = this.at(under(home, root), language, path);
        if (found !== null) return found;
      }
    }
    return null;
  }

  private inPackage(directory: string, language: string, path: string): Resolution | null {
    const [name, rest] = splitPackage(path);
    const found = name === '' ? null : this.packages.find(name, directory);
    if (found === null) return null;
    return (
      this.at(found.directory, language, rest) ??
      this.packages.entry(found, rest === '' ? '.' : `./${rest}`, this.probe)
    );
  }

  private at(directory: string, language: string, specifier: string): Resolution | null {
    const path = join(directory, specifier);
    if (path === null || path === '') return null;
    const endings = ENDINGS.get(language) ?? [];
    return this.project.firstAt([path, ...partials(path, endings), ...partials(`${path}/index`, endings)]);
  }
}

/** `x.scss` and `_x.scss`. */
function partials(path: string, endings: readonly string[]): string[] {
  const partial = under(directoryOf(path), `_${baseName(path)}`);
  return [
    ...(endings.length === 0 ? [] : [partial]),
    ...endings.flatMap((ending) => [path + ending, partial + ending]),
  ];
}

function outside(specifier: string, path: string): Resolution {
  const [name] = splitPackage(path);
  // A plain name is a neighbouring file as often as a package; only `~` and a scope show which.
  return name !== '' && (specifier.startsWith('~') || path.startsWith('@')) ? external(name) : UNRESOLVED;
}
