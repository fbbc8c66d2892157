// Makes the index of a compiler for a clone: SCIP indexers from npm for TypeScript, JavaScript and Python, a language server for C and C++, programs beside this file for Go, Java, Rust and PHP.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript-api';
import { indexNatively, nativeVersion, openNativeIndex } from './graph-truth-native.mjs';
import { SCRIPT, sourcesOf } from './graph-truth-project.mjs';
import { indexByServer, openServerIndex } from './graph-truth-servers.mjs';
import { openScip } from './graph-truth-symbols.mjs';
import { openLanguageService } from './graph-truth-tsc.mjs';

const LANGUAGES = [
  { id: 'typescript', ending: SCRIPT, index: indexTypeScript, open: openScip },
  { id: 'python', ending: /\.pyi?$/, index: indexPython, open: openScip },
  { id: 'go', ending: /\.go$/, index: indexNatively, open: openNativeIndex },
  { id: 'java', ending: /\.java$/, index: indexNatively, open: openNativeIndex },
  { id: 'rust', ending: /\.rs$/, index: indexNatively, open: openNativeIndex },
  { id: 'php', ending: /\.php$/, index: indexNatively, open: openNativeIndex },
  { id: 'c', ending: /\.(?:c|h|cc|cpp|cxx|hpp|hh|ipp)$/, index: indexByServer, open: openServerIndex },
];

/** The language that most files are written in. */
export function languageOf({ paths }, asked) {
  const count = ({ ending }) => [...paths].filter((path) => ending.test(path)).length;
  const known = LANGUAGES.map((language) => ({ ...language, files: count(language) }));
  return known.find(({ id }) => id === asked) ?? known.sort((a, b) => b.files - a.files)[0];
}

/** Truth of a clone; `file` is where its index is, or where it is kept. */
export async function openTruth(project, language, file, { apart } = {}) {
  if (!existsSync(file)) await language.index(project, file, language);
  const truth = await language.open(file, { directory: project.directory, apart });
  if (language.id !== 'typescript') return truth;
  let second;
  return Object.assign(truth, { second: () => (second ??= openLanguageService(project)) });
}

/** A program of a package from npm, installed into a cache unless GRAPH_TRUTH_TOOLS is a node_modules folder that has it. */
function toolOf(name) {
  const cache = join(tmpdir(), 'socraticode-graph-truth-tools');
  const found = [process.env.GRAPH_TRUTH_TOOLS, join(cache, 'node_modules')]
    .filter((folder) => folder !== undefined)
    .map((folder) => join(folder, '.bin', name))
    .find((path) => existsSync(path));
  if (found !== undefined) return found;
  mkdirSync(cache, { recursive: true });
  const args = ['install', '--no-audit', '--no-fund', '--prefix', cache, `@sourcegraph/${name}`];
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  return join(cache, 'node_modules', '.bin', name);
}

function runTool(name, args, directory, file) {
  const env = { ...process.env, NODE_OPTIONS: '--max-old-space-size=6000' };
  const run = spawnSync(toolOf(name), args, { cwd: directory, encoding: 'utf8', maxBuffer: 1 << 28, env });
  if (!existsSync(file)) throw new Error(`${name} made no index: ${run.stderr}${run.stdout}`.slice(0, 4000));
}

/** All files, whatever the repository's own settings leave out; its own packages before those that are installed. */
function indexPython({ directory, paths }, file) {
  const above = [...paths].filter((path) => path.endsWith('/__init__.py')).map((path) => dirname(dirname(path)));
  const extraPaths = [...new Set(above)].filter((folder) => folder !== '.' && !paths.has(join(folder, '__init__.py')));
  writeFileSync(join(directory, 'pyrightconfig.json'), JSON.stringify({ include: ['.'], extraPaths }));
  const name = ['--project-name', 'it', '--project-version', '1'];
  runTool('scip-python', ['index', '.', ...name, '--quiet', '--output', file], directory, file);
}

const CONFIG = 'tsconfig.graph-truth.json';

/** Every script belongs to the nearest tsconfig.json; options of it that need other files are made harmless. */
function indexTypeScript({ directory, paths, packages }, file) {
  const projects = new Map();
  for (const path of paths) {
    if (!SCRIPT.test(path) || /\.d\.[cm]?ts$|\.min\.\w+$/.test(path)) continue;
    let folder = dirname(path);
    while (folder !== '.' && !paths.has(join(folder, 'tsconfig.json'))) folder = dirname(folder);
    projects.set(folder, [...(projects.get(folder) ?? []), path]);
  }
  const sources = sourcesOf(directory, packages);
  for (const [folder, scripts] of projects) {
    const { config, declarations } = readConfig(join(directory, folder, 'tsconfig.json'), sources);
    const files = [...scripts.map((path) => join(directory, path)), ...declarations];
    writeFileSync(join(directory, folder, CONFIG), JSON.stringify({ ...config, files }));
  }
  const configs = [...projects.keys()].map((folder) => join(folder, CONFIG));
  runTool('scip-typescript', ['index', '--output', file, ...configs], directory, file);
}

/** Options of a tsconfig.json that work for a clone without installed packages, and the declaration files that it names. */
function readConfig(file, sources) {
  const { config = {} } = existsSync(file) ? ts.readConfigFile(file, ts.sys.readFile) : {};
  const { options, errors, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, dirname(file), {}, file);
  const hasBase = !errors.some(({ code }) => [6053, 18000, 5083].includes(code));
  const base = options.pathsBasePath ?? options.baseUrl ?? dirname(file);
  const paths = { ...sources };
  for (const [name, targets] of Object.entries(options.paths ?? {}))
    paths[name] = targets.map((target) => resolve(base, target));
  const { ModuleResolutionKind: kinds, ModuleKind: modules } = ts;
  const isClassic = [undefined, kinds.Classic, kinds.Node10].includes(options.moduleResolution);
  const isNode = options.module >= modules.Node16 && options.module <= modules.NodeNext;
  const compilerOptions = {
    ...(hasBase ? {} : (config.compilerOptions ?? {})),
    ...(isClassic && !isNode ? { module: 'esnext', moduleResolution: 'bundler' } : {}),
    ...(options.jsx === undefined ? { jsx: 'preserve' } : {}),
    ...(options.target === undefined ? { target: 'es2022' } : {}),
    ...{ paths, allowJs: true, checkJs: false, noEmit: true, composite: false, incremental: false, skipLibCheck: true },
    ...{ rootDir: null, outDir: null, tsBuildInfoFile: null, resolveJsonModule: true, experimentalDecorators: true },
  };
  const inherited = hasBase && existsSync(file) ? { extends: './tsconfig.json' } : {};
  return {
    config: { ...inherited, compilerOptions, include: [], exclude: [], references: [] },
    declarations: fileNames.filter((name) => /\.d\.[cm]?ts$/.test(name)),
  };
}

export const commitOf = (directory) =>
  execFileSync('git', ['-C', directory, 'rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();

const VERSIONS = { typescript: 'tsc', python: 'pyright', c: 'clangd' };
export const versionOf = ({ id }) => VERSIONS[id] ?? nativeVersion(id);
