/**
 * Distributions of Python: packages and modules below the directories that a project puts on the path, and the programs and entry points
 * that pyproject.toml and setup.cfg name.
 */
import type { Dependency, PackageRules, Program, PublishedModule, PublishedPackage } from '../language.js';
import {
  baseName,
  directoryOf,
  entries,
  field,
  isWithin,
  join,
  type Project,
  parseToml,
  stemOf,
  text,
  texts,
  under,
} from '../roles/project.js';
import type { FactSink, FormatFacts, SyntaxNode } from '../roles/relations.js';

const MANIFESTS = ['pyproject.toml', 'setup.cfg', 'setup.py'];
const ROOTS = ['', 'src', 'lib', 'python'];
const NAMED: Readonly<Record<string, RegExp>> = {
  'setup.py': /\bname\s*=\s*['"]([\w.-]{1,100})['"]/,
  'setup.cfg': /^name\s*=\s*([\w.-]{1,100})\s*$/m,
};
/** Directories beside the packages that no distribution contains. */
const UNPUBLISHED =
  /^(?:tests?|testing|docs?|docs_src|examples?|samples?|scripts?|tools?|benchmarks?|setup|conftest|noxfile)$/;
const REQUIREMENT = /^\s*([A-Za-z][\w.-]*)\s*(?:\[[^\]]*\])?\s*([^;#\s][^;#]*)?/;
const QUOTED = /['"]([A-Za-z][\w.-]*(?:\[[^\]'"]*\])?\s*(?:[<>=!~^][^'"]*)?)['"]/g;
const MAX_DEPENDENCIES = 5_000;

export const PYPI: PackageRules = {
  published(project) {
    const homes = new Map<string, { name: string; manifest: string }>();
    for (const file of MANIFESTS)
      for (const manifest of project.manifestsNamed(file)) {
        const name = nameIn(file, project.manifest(manifest) ?? '');
        const home = directoryOf(manifest);
        if (name !== undefined && !homes.has(home)) homes.set(home, { name, manifest });
      }
    return [...homes].map(([home, { name, manifest }]): PublishedPackage => {
      const inner = [...homes.keys()].filter((other) => other !== home && isWithin(other, home));
      return { name, manifest, modules: modulesOf(project, { home, name, inner }) };
    });
  },
  dependencies(manifest, content) {
    const found = manifest === 'pyproject.toml' ? fromToml(content) : fromText(manifest, content);
    return found.slice(0, MAX_DEPENDENCIES);
  },
};

function nameIn(file: string, content: string): string | undefined {
  if (file !== 'pyproject.toml') return NAMED[file].exec(content)?.[1];
  const value = parseToml(content);
  return text(field(field(value, 'project'), 'name')) ?? text(field(field(field(value, 'tool'), 'poetry'), 'name'));
}

function modulesOf(
  project: Project,
  { home, name, inner }: { home: string; name: string; inner: readonly string[] },
): PublishedModule[] {
  const modules: PublishedModule[] = [];
  for (const file of project.filesOfLanguages(['python'])) {
    const directory = project.directory(file);
    if (!isWithin(directory, home) || inner.some((other) => isWithin(directory, other))) continue;
    const root = rootOf(project, directory);
    if (!ROOTS.some((place) => under(home, place) === root)) continue;
    const path = project.path(file);
    const stem = path.slice(root === '' ? 0 : root.length + 1).replace(/\.\w+$/, '');
    const specifier = stem.replace(/\/__init__$/, '').replaceAll('/', '.');
    const [top] = specifier.split('.', 1);
    // A module beside the packages is part of the distribution only if it has its name: others are tools of the project.
    const isModule = directory === root;
    if (UNPUBLISHED.test(top) || (isModule && !sameName(stemOf(path), name))) continue;
    modules.push({ specifier, files: [file] });
  }
  return modules;
}

/** The first directory upwards that is no package. */
function rootOf(project: Project, directory: string): string {
  let at = directory;
  while (at !== '' && (project.has(under(at, '__init__.py')) || project.has(under(at, '__init__.pyi'))))
    at = directoryOf(at);
  return at;
}

function sameName(a: string, b: string): boolean {
  const plain = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-');
  return plain(a) === plain(b);
}

function fromToml(content: string): Dependency[] {
  const value = parseToml(content);
  const project = field(value, 'project');
  const optional = entries(field(project, 'optional-dependencies')).flatMap(([, list]) => texts(list));
  const groups = entries(field(value, 'dependency-groups')).flatMap(([, list]) => texts(list));
  const listed = [...texts(field(project, 'dependencies')), ...optional, ...groups].flatMap(requirement);
  const poetry = field(field(value, 'tool'), 'poetry');
  const tables = ['dependencies', 'dev-dependencies'].flatMap((name) => entries(field(poetry, name)));
  return [...listed, ...tables.map(([name, version]) => ({ name, version: text(version) ?? '' }))];
}

function fromText(manifest: string, content: string): Dependency[] {
  if (manifest === 'setup.py') return [...content.matchAll(QUOTED)].flatMap(([, written]) => requirement(written));
  const lines = content
    .split('\n')
    .filter((line) => !/^\s*[-#[]/.test(line) && (baseName(manifest) !== 'setup.cfg' || /^\s/.test(line)));
  return lines.flatMap(requirement);
}

function requirement(written: string): Dependency[] {
  const match = REQUIREMENT.exec(written.slice(0, 300));
  return match === null ? [] : [{ name: match[1], version: (match[2] ?? '').trim() }];
}

export function projectPrograms(manifest: string, content: string, has: (path: string) => boolean): Program[] {
  const value = parseToml(content);
  const poetry = field(field(value, 'tool'), 'poetry');
  const scripts = [...entries(field(field(value, 'project'), 'scripts')), ...entries(field(poetry, 'scripts'))];
  return scripts.flatMap(([name, target]) => {
    const module = text(target)?.split(':', 1)[0].trim() ?? '';
    const path = module === '' ? undefined : candidates(directoryOf(manifest), module).find(has);
    return path === undefined ? [] : [{ name, path }];
  });
}

/** Tables of entry points: `[project.scripts]`, `[project.entry-points."shop.tills"]`, `[tool.poetry.plugins]`. */
const ENTRY_TABLE =
  /^\s*\[\s*(?:project\.(?:(?:gui-)?scripts|entry-points\b.*)|tool\.(?:poetry|flit)\.(?:scripts|plugins|entrypoints)\b.*)\]/;
const ENTRY =
  /["']([A-Za-z_][\w.]{0,150})(?:\s{0,3}:\s{0,3}([A-Za-z_][\w.]{0,100}))?\s{0,3}(?:\[[^\]"']{0,100}\]\s{0,3})?["']/g;

/** An entry point: the place of its text, a module, and the path of a name in it. */
interface EntryPoint {
  at: number;
  end: number;
  module: string;
  path: string;
}

/** Entry points that pyproject.toml names: modules that it imports, and functions that it uses. Null without any. */
export function readEntryPoints(_root: SyntaxNode, source: string): FormatFacts | null {
  return entryFacts(source, ENTRY_TABLE, (line) => {
    const from = line.indexOf('=') + 1;
    return Array.from(line.slice(from).matchAll(ENTRY), ({ 0: written, 1: module, 2: path = '', index }) => {
      return { at: from + index + 1, end: from + index + written.length, module, path };
    });
  });
}

const SETUP_TABLE = /^\s*\[\s*(?:options\.)?entry_points\s*\]/;
const SETUP_ENTRY =
  /^(\s+[\w.-]{1,100}\s{0,20}=\s{0,20})([A-Za-z_][\w.]{0,150})(?:\s{0,3}:\s{0,3}([A-Za-z_][\w.]{0,100}))?\s{0,3}(?:\[[^\]]{0,100}\])?\s*(?:[#;].*)?$/;

/** Entry points of setup.cfg: `shop = shop.cli:main` below `console_scripts =`. */
export function readSetupEntries(_root: SyntaxNode, source: string): FormatFacts | null {
  return entryFacts(source, SETUP_TABLE, (line) => {
    const match = SETUP_ENTRY.exec(line);
    if (match === null) return [];
    const [, before, module, path = ''] = match;
    return [{ at: before.length, end: before.length + module.length + path.length, module, path }];
  });
}

/** Facts of the entry points in the lines of some tables; null without any. */
function entryFacts(source: string, table: RegExp, read: (line: string) => EntryPoint[]): FormatFacts | null {
  const found: EntryPoint[] = [];
  let start = 0;
  let isTable = false;
  for (const line of source.split('\n')) {
    if (/^\s*\[/.test(line)) isTable = table.test(line);
    else if (isTable)
      for (const entry of read(line))
        if (entry.path !== '' || entry.module.includes('.'))
          found.push({ ...entry, at: start + entry.at, end: start + entry.end });
    start += line.length + 1;
  }
  if (found.length === 0) return null;
  return { definitions: [], state: (sink) => stateEntries(found, sink) };
}

function stateEntries(found: readonly EntryPoint[], sink: FactSink): void {
  const known = new Map<string, string>();
  for (const { at, end, module, path } of found) {
    const [name, ...members] = path.split('.');
    if (name === '') sink.import(at, end, 'import', module, [{ name: '*', alias: module }]);
    else {
      const isOther = (known.get(name) ?? module) !== module;
      known.set(name, module);
      const alias = isOther ? `${module.replaceAll('.', '_')}_${name}` : name;
      sink.import(at, end, 'import', module, [{ name, alias }]);
      sink.reference(at, end, 'value', [alias, ...members].join('.'));
    }
  }
}

/** Files that the module can be, from the folder of the manifest or from its `src`. */
function candidates(folder: string, module: string): string[] {
  const stem = module.replaceAll('.', '/');
  return ['', 'src/'].flatMap((root) =>
    [`${stem}.py`, `${stem}/__init__.py`].flatMap((path) => join(folder, root + path) ?? []),
  );
}
