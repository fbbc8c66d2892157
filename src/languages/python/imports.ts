/**
 * Imports of Python: modules and packages below the directories that a project puts on its path; and its distributions, with the programs
 * and entry points that pyproject.toml and setup.cfg name.
 */
import {
  type Dependency,
  type PackageRules,
  type Program,
  type PublishedModule,
  type PublishedPackage,
  wordSet,
} from '../language.js';
import { PYTHON_NAMES } from '../library-names.js';
import {
  addWithParents,
  ancestors,
  baseName,
  commonDepth,
  directoryOf,
  entries,
  external,
  field,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  isWithin,
  join,
  type Project,
  parseToml,
  type Resolution,
  type Specified,
  stemOf,
  text,
  texts,
  UNRESOLVED,
  under,
} from '../roles/project.js';
import type { FactSink, FormatFacts, SyntaxNode } from '../roles/relations.js';

/** Endings of a module's file, best first. */
const MODULE_ENDINGS = ['.py', '/__init__.py', '.pyi', '/__init__.pyi', '.pyx', '.pxd'];
/** Endings for importing files that declare types: these prefer each other. */
const STUB_ENDINGS = ['.pyi', '/__init__.pyi', ...MODULE_ENDINGS];
const STUB = /\.pyi$/;
const PACKAGE_FILES = ['__init__.py', '__init__.pyi'];
/** Directories of a project that usually hold its packages: imports start there, and modules that it publishes. */
const DEFAULT_ROOTS = ['', 'src', 'lib', 'python'];
/** `package_dir={"": "lib"}`, `where = source`, `find_packages("lib")`. */
const DECLARED_ROOTS = [
  /package_dir\s*=\s*(?:\{\s*['"]['"]\s*:\s*['"]|=\s*)([\w./-]{1,100})/,
  /find(?:_namespace)?_packages\(\s*(?:where\s*=\s*)?['"]([\w./-]{1,100})['"]/,
  /^where\s*=\s*([\w./-]{1,100})\s*$/m,
];
const MANIFESTS = ['pyproject.toml', 'setup.cfg', 'setup.py'];

export const PYTHON: ImportRules = {
  readsNames: true,
  libraryNames: PYTHON_NAMES,
  create: (project) => new Python(project),
};

/** Target of a dotted name: a module's own file (-1 for a namespace package), and the directory below which more may be. */
interface Place {
  file: number;
  directory: string;
}

class Python implements ImportResolver {
  private roots: string[] | null = null;
  private directories: Set<string> | null = null;
  /** Roots by the top-level name of a module or package in them. */
  private holders: Map<string, string[]> | null = null;
  private readonly known = new Map<string, Map<string, Place | null>>();
  /** Endings of modules for the importing file: `resolve` sets them before anything is looked for. */
  private endings: readonly string[] = MODULE_ENDINGS;

  constructor(private readonly project: Project) {}

  resolve(file: number, { specifier, names }: Specified): Resolution {
    const directory = this.project.directory(file);
    this.endings = STUB.test(this.project.path(file)) ? STUB_ENDINGS : MODULE_ENDINGS;
    const places = getOrMake(this.known, `${this.endings[0]} ${directory}`, () => new Map<string, Place | null>());
    let place = places.get(specifier);
    if (place === undefined) {
      place = this.find(directory, specifier);
      places.set(specifier, place);
    }
    const files = place === null ? [] : this.withNames(file, place, names);
    if (files.length > 0) return this.project.toFiles(files, 'path');
    const [top] = specifier.split('.', 1);
    const isOwn = top === '' || (top !== specifier && (this.find(directory, top)?.file ?? -1) >= 0);
    return isOwn ? UNRESOLVED : external(top);
  }

  /** Files of imported names: a name that is a module has that module's file, any other name the package's. */
  private withNames(importer: number, { file, directory }: Place, names: Specified['names']): number[] {
    const found = new Set<number>();
    const own = file < 0 ? [] : this.project.input.topLevelNames(file);
    const isPackage = file < 0 || PACKAGE_FILES.includes(baseName(this.project.path(file)));
    for (const { name } of names) {
      const module = isPackage && isName(name) ? (this.module(directory, name)?.file ?? -1) : -1;
      if (module >= 0 && module !== importer) found.add(module);
      if ((module < 0 || own.includes(name)) && file >= 0) found.add(file);
    }
    if (names.length === 0 && file >= 0) found.add(file);
    return [...found];
  }

  private find(directory: string, specifier: string): Place | null {
    const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
    const names = specifier.slice(dots).split('.');
    if (names.length === 1 && names[0] === '') return dots === 0 ? null : this.ancestor(directory, dots);
    if (!names.every(isName)) return null;
    if (dots > 0) {
      const base = join(directory, '../'.repeat(dots - 1));
      return base === null ? null : this.walk(base, names);
    }
    let namespace: Place | null = null;
    for (const root of this.rootsOf(directory, names[0])) {
      const place = this.walk(root, names);
      if (place !== null && place.file >= 0) return place;
      namespace ??= place;
    }
    return namespace;
  }

  /** The package that leading dots alone stand for. */
  private ancestor(directory: string, dots: number): Place | null {
    const at = join(directory, '../'.repeat(dots - 1));
    return at === null ? null : { file: this.packageFile(at), directory: at };
  }

  private walk(root: string, names: readonly string[]): Place | null {
    let place: Place | null = null;
    let at = root;
    for (const name of names) {
      place = this.module(at, name);
      if (place === null) return null;
      at = place.directory;
    }
    return place;
  }

  private module(directory: string, name: string): Place | null {
    const path = under(directory, name);
    for (const ending of this.endings) {
      const file = this.project.find(path + ending);
      if (file >= 0) return { file, directory: path };
    }
    return this.pythonDirectories().has(path) ? { file: -1, directory: path } : null;
  }

  private packageFile(directory: string): number {
    for (const name of PACKAGE_FILES) {
      const file = this.project.find(under(directory, name));
      if (file >= 0) return file;
    }
    return -1;
  }

  /** Places where a file of `directory` looks for the module `name`, in order. */
  private *rootsOf(directory: string, name: string): Generator<string> {
    const own = rootOf(this.project, directory);
    if (PYTHON_STDLIB.has(name)) {
      if (isWithin(directory, under(own, name))) yield own;
      return;
    }
    yield own;
    const near = (this.rootsByName().get(name) ?? []).map((root) => ({
      root,
      depth: commonDepth(`${directory}/`, `${root}/`),
    }));
    for (const { root } of near.sort((a, b) => b.depth - a.depth)) yield root;
    for (const at of ancestors(directory)) if (this.isModuleIn(at, name)) yield at;
  }

  private isModuleIn(directory: string, name: string): boolean {
    return (this.module(directory, name)?.file ?? -1) >= 0;
  }

  /** Directories that have Python files in them or below. */
  private pythonDirectories(): Set<string> {
    if (this.directories !== null) return this.directories;
    this.directories = new Set(['']);
    for (const file of this.project.filesOfLanguages(['python']))
      addWithParents(this.directories, this.project.directory(file));
    return this.directories;
  }

  /** Roots by name. A directory without Python in it is no package, whatever its name. */
  private rootsByName(): Map<string, string[]> {
    if (this.holders !== null) return this.holders;
    const names = new Map<string, Set<string>>();
    const roots = new Set(this.searchRoots());
    const add = (path: string, name: string): void => {
      const root = directoryOf(path);
      if (roots.has(root)) getOrMake(names, name, () => new Set<string>()).add(root);
    };
    for (const file of this.project.filesOfLanguages(['python']))
      add(this.project.path(file), stemOf(this.project.path(file)));
    for (const directory of this.pythonDirectories()) if (directory !== '') add(directory, baseName(directory));
    this.holders = new Map([...names].map(([name, found]) => [name, [...found].sort()]));
    return this.holders;
  }

  /** Directories of the whole repository that imports may start from. */
  private searchRoots(): string[] {
    if (this.roots !== null) return this.roots;
    const found = new Set(DEFAULT_ROOTS);
    for (const name of MANIFESTS) {
      for (const path of this.project.manifestsNamed(name)) {
        const home = directoryOf(path);
        for (const root of [...DEFAULT_ROOTS, ...this.declaredRoots(path)]) {
          const at = join(home, root);
          if (at !== null) found.add(at);
        }
      }
    }
    this.roots = [...found];
    return this.roots;
  }

  private declaredRoots(path: string): string[] {
    const manifest = this.project.manifest(path) ?? '';
    if (!path.endsWith('.toml')) return DECLARED_ROOTS.flatMap((pattern) => pattern.exec(manifest)?.[1] ?? []);
    const tool = field(parseToml(manifest), 'tool');
    const setuptools = field(tool, 'setuptools');
    const poetry = field(field(tool, 'poetry'), 'packages');
    return [
      ...texts(field(field(field(setuptools, 'packages'), 'find'), 'where')),
      ...entries(field(setuptools, 'package-dir')).flatMap(([name, value]) => (name === '' ? (text(value) ?? []) : [])),
      ...(Array.isArray(poetry) ? poetry.flatMap((item) => text(field(item, 'from')) ?? []) : []),
      ...texts(field(field(field(field(field(tool, 'hatch'), 'build'), 'targets'), 'wheel'), 'packages')).map(
        directoryOf,
      ),
    ];
  }
}

function isName(name: string): boolean {
  return name !== '' && name !== '*' && !name.includes('/');
}

/** Top-level modules of Python's standard library (3.8 to 3.13): an import rarely means a file of that name beside a script. */
const PYTHON_STDLIB = wordSet(
  `__future__ __main__ _thread abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii binhex
   bisect builtins bz2 calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent configparser
   contextlib contextvars copy copyreg cProfile crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest
   email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath
   getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress
   itertools json keyword lib2to3 linecache locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt
   multiprocessing netrc nis nntplib ntpath numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes
   pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc queue quopri random re readline
   reprlib resource rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket
   socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol
   symtable sys sysconfig syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize
   tomllib trace traceback tracemalloc tty turtle types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser
   winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo`,
);

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
    if (!DEFAULT_ROOTS.some((place) => under(home, place) === root)) continue;
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

/** The first directory upwards that is no package: a package of `directory` is imported from there. */
function rootOf(project: Project, directory: string): string {
  const isPackage = (at: string) => PACKAGE_FILES.some((name) => project.has(under(at, name)));
  let at = directory;
  while (at !== '' && isPackage(at)) at = directoryOf(at);
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

/** Programs that pyproject.toml installs, each with the file of its module; those without one that `has` knows are left out. */
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
