// A repository as two judges see it: our linked graph of its HEAD, and what the TypeScript compiler needs to know of it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import ts from 'typescript-api';

export const SCRIPT = /\.[cm]?[jt]sx?$/;

/** Clones `source`, links it, and puts its own packages where the compiler looks for packages. */
export async function openProject(source, directory) {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', source, directory], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const { Session } = await import('../../dist/session/session.js');
  const { Graphs } = await import('../../dist/session/graph/graphs.js');
  const session = await Session.open({ directory });
  try {
    const { graph } = await new Graphs(session).prepare({ committed: true });
    const tracked = execFileSync('git', ['-C', directory, 'ls-files', '-z'], { encoding: 'utf8', maxBuffer: 1 << 28 });
    const paths = new Set(tracked.split('\0').filter(Boolean));
    return { directory, graph, paths, packages: linkPackages(directory, paths) };
  } finally {
    session.close();
  }
}

/** What installing would do with a repository's own packages: a link in node_modules. */
function linkPackages(directory, paths) {
  const names = new Map();
  for (const path of paths) {
    if (!/(?:^|\/)package\.json$/.test(path)) continue;
    const { name } = readJson(join(directory, path));
    if (typeof name !== 'string' || !/^(?:@[\w.-]+\/)?[\w.-]+$/.test(name) || names.has(name)) continue;
    names.set(name, dirname(path));
    const link = join(directory, 'node_modules', name);
    if (existsSync(link)) continue;
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(directory, dirname(path)), link);
  }
  return names;
}

function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) ?? {};
  } catch {
    return {};
  }
}

/** The sources of packages of the repository, and of their subpath exports, whose entries a compiler finds only when they were built. */
export function sourcesOf(directory, packages) {
  const found = {};
  for (const [name, folder] of packages) {
    const exists = (path) => existsSync(join(directory, folder, path));
    const entry = ['src/index.ts', 'src/index.tsx', 'index.ts', 'src/index.js'].find(exists);
    if (entry !== undefined) found[name] = [join(directory, folder, entry)];
    for (const [subpath, target] of Object.entries(readExports(join(directory, folder, 'package.json')))) {
      if (!/^\.\/[^*]+$/.test(subpath) || /\.\w+$/.test(subpath)) continue;
      const usual = ['.ts', '.tsx', '/index.ts', '/index.tsx'].map((ending) => `src${subpath.slice(1)}${ending}`);
      const source = [...targetsOf(target).filter((path) => /(?<!\.d)\.[cm]?tsx?$/.test(path)), ...usual].find(exists);
      if (source !== undefined) found[`${name}${subpath.slice(1)}`] = [join(directory, folder, source)];
    }
  }
  return found;
}

function readExports(file) {
  const { exports } = readJson(file);
  return typeof exports === 'object' && exports !== null ? exports : {};
}

/** Files that the conditions of an export name. */
function targetsOf(target) {
  if (typeof target === 'string') return [target];
  return typeof target === 'object' && target !== null ? Object.values(target).flatMap(targetsOf) : [];
}

/** Repository path of a file, null for what is not in the repository: a library, a package that is installed. */
export function pathIn({ directory, paths }, file) {
  const path = relative(directory, ts.sys.realpath?.(file) ?? file)
    .split(sep)
    .join('/');
  return paths.has(path) ? path : null;
}

/** The compiler options that apply to a file: those of the nearest tsconfig.json or jsconfig.json. */
export function createOptions({ directory }) {
  const known = new Map();
  const read = (folder) => {
    for (const name of ['tsconfig.json', 'jsconfig.json']) {
      const file = join(folder, name);
      if (!ts.sys.fileExists(file)) continue;
      const { config } = ts.readConfigFile(file, ts.sys.readFile);
      return ts.parseJsonConfigFileContent(config ?? {}, { ...ts.sys, readDirectory: () => [] }, folder, {}, file)
        .options;
    }
    return folder === directory || !folder.startsWith(directory) ? {} : forFolder(dirname(folder));
  };
  const forFolder = (folder) => {
    if (!known.has(folder)) known.set(folder, relaxed(read(folder)));
    return known.get(folder);
  };
  return (file) => forFolder(dirname(file));
}

/** Scripts and JSON count as modules whatever a project says, and nothing is written. */
function relaxed(options) {
  const { ModuleResolutionKind: kinds, ModuleKind: modules } = ts;
  const classic = [undefined, kinds.Classic].includes(options.moduleResolution);
  const isNode = options.module >= modules.Node16 && options.module <= modules.NodeNext;
  const { outDir, rootDir, rootDirs, incremental, tsBuildInfoFile, composite, ...rest } = options;
  return {
    ...rest,
    ...(classic ? { moduleResolution: isNode ? kinds.NodeNext : kinds.Bundler } : {}),
    ...(classic && !isNode ? { module: modules.ESNext } : {}),
    ...{ allowJs: true, checkJs: false, resolveJsonModule: true, noEmit: true, skipLibCheck: true, types: [] },
  };
}

/** What the compiler says about imports, by the rules of modules or else of CommonJS. */
export function createResolver(project) {
  const optionsOf = createOptions(project);
  const host = { ...ts.sys, getCurrentDirectory: () => project.directory };
  const caches = new Map();
  return (specifier, file) => {
    const options = optionsOf(file);
    if (!caches.has(options))
      caches.set(
        options,
        ts.createModuleResolutionCache(project.directory, (name) => name, options),
      );
    let outside;
    for (const mode of [ts.ModuleKind.ESNext, ts.ModuleKind.CommonJS]) {
      const { resolvedModule } = ts.resolveModuleName(
        specifier,
        file,
        options,
        host,
        caches.get(options),
        undefined,
        mode,
      );
      if (resolvedModule === undefined) continue;
      const target = pathIn(project, resolvedModule.resolvedFileName);
      if (target !== null) return { target, module: resolvedModule };
      outside ??= resolvedModule;
    }
    return { target: null, module: outside };
  };
}

/** Fisher and Yates, in place. */
export function shuffled(list, random) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** Errors by cause: how many, and the first few. */
export class Causes {
  counts = new Map();

  add(cause, example) {
    const held = this.counts.get(cause) ?? { count: 0, examples: [] };
    held.count++;
    if (example !== undefined) held.examples.push(example);
    this.counts.set(cause, held);
  }

  print(examples) {
    for (const [cause, { count, examples: all }] of [...this.counts].sort((a, b) => b[1].count - a[1].count)) {
      console.log(`  ${String(count).padStart(6)}  ${cause}`);
      for (const example of all.slice(0, examples)) console.log(`            ${example}`);
    }
  }
}
