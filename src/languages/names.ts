/** Names of languages outside of this program: as people type them (`py`, `golang`, `c++`), and as SCIP indexes write them. */
import { nearest } from '../base/spelling.js';
import { detectLanguage } from './detect.js';
import { LANGUAGE_IDS, type LanguageId } from './ids.js';
import { allLanguages, languageOf } from './registry.js';

/** Names that are neither an id nor an extension, and one extension that stands for two languages (data). */
const SPOKEN: ReadonlyMap<string, readonly LanguageId[]> = new Map(
  Object.entries({
    ts: ['typescript', 'tsx'],
    node: ['javascript'],
    python3: ['python'],
    golang: ['go'],
    'c++': ['cpp'],
    'c#': ['csharp'],
    'f#': ['fsharp'],
    'objective-c': ['objectivec'],
    objc: ['objectivec'],
    shell: ['bash'],
    docker: ['dockerfile'],
    make: ['makefile'],
    vb: ['visualbasic'],
  } satisfies Record<string, LanguageId[]>),
);

/** Finds language ids by an id, a name that people use, or an extension, in any case; none for an unknown word. */
export function resolveLanguages(word: string): readonly string[] {
  const wanted = word.toLowerCase().replace(/^\./, '');
  if (languageOf(wanted) !== undefined) return [wanted];
  const byExtension = /^\w+$/.test(wanted) ? detectLanguage(`file.${wanted}`) : null;
  return SPOKEN.get(wanted) ?? (byExtension === null ? [] : [byExtension]);
}

/** The name nearest to a word that is no language, or null: `pyhton` -> `python`. */
export function nearestLanguage(word: string): string | null {
  return nearest(word, [...[...allLanguages()].map(({ id }) => id), ...SPOKEN.keys()]);
}

/** Names in SCIP's own list that are not the id with a capital letter (data). */
const NAMES: Readonly<Record<string, string>> = {
  ...{ typescript: 'TypeScript', tsx: 'TypeScriptReact', javascript: 'JavaScript' },
  ...{ cpp: 'CPP', csharp: 'CSharp', php: 'PHP', bash: 'ShellScript', html: 'HTML', css: 'CSS', sql: 'SQL' },
  ...{ objectivec: 'Objective_C', fsharp: 'FSharp', visualbasic: 'VisualBasic', graphql: 'GraphQL' },
};

const KNOWN: ReadonlySet<string> = new Set(LANGUAGE_IDS);

export function scipLanguage(id: string): string {
  return NAMES[id] ?? (KNOWN.has(id) ? id[0].toUpperCase() + id.slice(1) : '');
}

interface ScipPackage {
  /** Package manager and name of a package, as SCIP's indexers write them; empty without a manifest. */
  manager: string;
  name: string;
}

interface PackageManifest {
  manager: string;
  file: string;
  /** Finds the package's name in the text of the manifest. */
  name: RegExp;
}

const JSON_NAME = /^\{?[ \t]{0,4}"name"\s*:\s*"([^"\n]{1,200})"/m;
const TOML_NAME = /^\[(?:package|project|tool\.poetry)\][^[]{0,4000}?^name\s*=\s*["']([^"'\n]{1,200})["']/m;

/** Manifests by the family of languages whose packages they describe (data). */
const MANIFESTS: readonly { languages: ReadonlySet<string>; manifest: PackageManifest }[] = [
  {
    languages: new Set(['typescript', 'tsx', 'javascript', 'vue', 'svelte']),
    manifest: { manager: 'npm', file: 'package.json', name: JSON_NAME },
  },
  { languages: new Set(['python']), manifest: { manager: 'python', file: 'pyproject.toml', name: TOML_NAME } },
  { languages: new Set(['rust']), manifest: { manager: 'cargo', file: 'Cargo.toml', name: TOML_NAME } },
  { languages: new Set(['go']), manifest: { manager: 'gomod', file: 'go.mod', name: /^module\s+"?([^\s"]{1,200})/m } },
  { languages: new Set(['php']), manifest: { manager: 'composer', file: 'composer.json', name: JSON_NAME } },
  { languages: new Set(['dart']), manifest: { manager: 'pub', file: 'pubspec.yaml', name: /^name:\s*(\S{1,200})/m } },
];

const NO_PACKAGE: ScipPackage = { manager: '', name: '' };

/** Returns the function that finds the package of a file: the nearest manifest of its language at or above its folder. */
export function packageFinder(
  manifests: ReadonlyMap<string, string>,
): (file: { path: string; language: string }) => ScipPackage {
  const known = new Map<string, ScipPackage>();
  return ({ path, language }) => {
    const manifest = MANIFESTS.find(({ languages }) => languages.has(language))?.manifest;
    if (manifest === undefined) return NO_PACKAGE;
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const key = `${manifest.manager} ${folder}`;
    let found = known.get(key);
    if (found === undefined) {
      found = nearestManifest(manifest, folder, manifests);
      known.set(key, found);
    }
    return found;
  };
}

function nearestManifest(
  { manager, file, name }: PackageManifest,
  folder: string,
  manifests: ReadonlyMap<string, string>,
): ScipPackage {
  for (let at = folder; ; at = at.slice(0, at.lastIndexOf('/', at.length - 2) + 1)) {
    const found = name.exec(manifests.get(at + file) ?? '')?.[1];
    if (found !== undefined) return { manager, name: found };
    if (at === '') return NO_PACKAGE;
  }
}
