/** The layer table of `src/README.md` is the law: this reads it and every import of `src`, and compares. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ROOT } from './root.js';

const SRC = fileURLToPath(new URL('src/', ROOT));
const GUIDE = readFileSync(join(SRC, 'README.md'), 'utf8');
const MAX_LINES = 600;
/** Shapes of the documents: every layer may import their types, which compilation removes. */
const SHAPES = /^questions\/(.*\/)?(?:(?:shared-)?output|question)\.ts$/;

interface Import {
  from: string;
  /** Gone after compilation. */
  typeOnly: boolean;
  /** Loaded when it is needed. */
  dynamic: boolean;
}

const STATIC = /^(?:import|export)\s(?<clause>[^'";]*?)\bfrom\s+'(?<from>[^']+)'/gm;
const BARE = /^import\s+'(?<from>[^']+)'/gm;
const DYNAMIC = /(?<type>typeof\s+)?\bimport\(\s*'(?<from>[^']+)'/gm;

/** Static, type, bare and dynamic imports; the formatter guarantees their shape. */
function importsOf(source: string): Import[] {
  const found: Import[] = [];
  for (const pattern of [STATIC, BARE, DYNAMIC]) {
    for (const { groups } of source.matchAll(pattern)) {
      const { from, clause = '', type } = groups as Record<string, string>;
      found.push({ from, typeOnly: clause.startsWith('type ') || type !== undefined, dynamic: pattern === DYNAMIC });
    }
  }
  return found;
}

interface Layer {
  layers: ReadonlySet<string>;
  packages: ReadonlySet<string>;
}

/** Rows of the table: `| folder | question | may import | npm packages |`. */
function readTable(): Map<string, Layer> {
  const rows = [...GUIDE.matchAll(/^\| *`(\w+)` *\|[^|]*\|([^|]*)\|([^|]*)\|$/gm)];
  const names = (cell: string) => new Set([...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  return new Map(
    rows.map(([, folder, layers, packages]) => [folder, { layers: names(layers), packages: names(packages) }]),
  );
}

interface SourceFile {
  path: string;
  folder: string;
  text: string;
  imports: Import[];
}

const FILES: SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join(SRC, path), 'utf8');
    return { path: path.replaceAll('\\', '/'), folder: path.split(/[/\\]/)[0], text, imports: importsOf(text) };
  });
const TABLE = readTable();
const FOLDERS = readdirSync(SRC, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

const resolve = (file: SourceFile, from: string) =>
  normalize(join(dirname(file.path), from))
    .replaceAll('\\', '/')
    .replace(/\.js$/, '.ts');
const packageName = (from: string) => from.split('/', from.startsWith('@') ? 2 : 1).join('/');

test('the import parser sees every form', () => {
  const source = [
    "import { a,\n  b } from './a.js';",
    "import type { C } from './c.js';",
    "import d, { type E } from 'pkg/deep';",
    "import 'side-effect';",
    "export * from './all.js';",
    "export { f } from './f.js';",
    "export type { T } from './t.js';",
    "type G = typeof import('@scope/name');",
    "const h = await import(\n  './h.js'\n);",
    "export const text = 'from nowhere';",
  ].join('\n');
  const seen = importsOf(source);
  assert.deepEqual(
    seen.filter(({ typeOnly }) => !typeOnly).map(({ from }) => from),
    ['./a.js', 'pkg/deep', './all.js', './f.js', 'side-effect', './h.js'],
  );
  assert.deepEqual(
    seen.filter(({ typeOnly }) => typeOnly).map(({ from }) => from),
    ['./c.js', './t.js', '@scope/name'],
  );
  assert.ok(FILES.length > 50 && FILES.flatMap((file) => file.imports).length > 200);
});

test('every folder has its row, and its heading asks a question', () => {
  assert.deepEqual([...TABLE.keys()].sort(), FOLDERS.sort());
  for (const folder of FOLDERS) assert.match(GUIDE, new RegExp(`^## ${folder}: .*\\?$`, 'm'), folder);
});

test('the table only points upwards, so that no two folders need each other', () => {
  const above = new Set<string>();
  for (const [folder, { layers }] of TABLE) {
    for (const layer of layers) assert.ok(above.has(layer), `${folder} -> ${layer}`);
    above.add(folder);
  }
});

test('imports stay within the layers and packages that the table allows', () => {
  const wrong: string[] = [];
  for (const file of FILES) {
    const { layers, packages } = TABLE.get(file.folder) ?? { layers: new Set(), packages: new Set() };
    for (const { from, typeOnly } of file.imports) {
      if (from.startsWith('node:')) continue;
      const target = from.startsWith('.') ? resolve(file, from).split('/')[0] : packageName(from);
      const allowed = from.startsWith('.') ? target === file.folder || layers.has(target) : packages.has(target);
      if (typeOnly && SHAPES.test(resolve(file, from))) continue;
      if (!allowed) wrong.push(`${file.path} imports ${from}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test('files do not load each other in circles', () => {
  const graph = new Map(
    FILES.map((file) => [
      file.path,
      file.imports
        // A part that is loaded when it is needed may use its loader, whose values are all there by then.
        .filter(({ from, typeOnly, dynamic }) => from.startsWith('.') && !typeOnly && !dynamic)
        .map(({ from }) => resolve(file, from)),
    ]),
  );
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    assert.ok(!trail.includes(path), `${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`);
    if (done.has(path)) return;
    assert.ok(graph.has(path), `${trail.at(-1)} imports ${path}, which does not exist`);
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
});

test("no code of ours imports zod: the protocol's library brings it along, and loads it for itself", () => {
  const importing = FILES.filter(({ imports }) => imports.some(({ from }) => packageName(from) === 'zod'));
  assert.deepEqual(
    importing.map(({ path }) => path),
    [],
  );
});

test('what is imported is a dependency, and every dependency is imported', () => {
  const manifest = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8'));
  // The build joins the modules of the two pages with the packages that they import.
  const installed = FILES.filter(({ path }) => !/^(?:web|graph\/picture)\/page\//.test(path));
  const imports = installed.flatMap((file) => file.imports).filter(({ from }) => !/^(\.|node:)/.test(from));
  const names = (some: Import[]) => [...new Set(some.map(({ from }) => packageName(from)))].sort();
  const dependencies = Object.keys(manifest.dependencies).sort();
  // Compilation removes types: who installs the program needs no package that only declares them.
  const onlyTypes = (name: string) => name in manifest.devDependencies && !running.includes(name);
  // Copied into `dist` by the build.
  const isCopied = (name: string) => manifest.files.includes(`dist/node_modules/${name}/package.json`);
  const running = names(imports.filter(({ typeOnly }) => !typeOnly));
  assert.deepEqual(
    names(imports).filter((name) => !onlyTypes(name) && !isCopied(name)),
    dependencies,
  );
});

test('the fleet imports of this package its internal entry alone, from one module, and its own packages', () => {
  const folder = fileURLToPath(new URL('fleet/src/', ROOT));
  const { dependencies } = JSON.parse(readFileSync(new URL('fleet/package.json', ROOT), 'utf8'));
  const outside = new Set<string>();
  const packages = new Set<string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.ts')) continue;
    const text = readFileSync(join(folder, path), 'utf8');
    assert.ok(text.split('\n').length - 1 <= MAX_LINES, path);
    for (const { from } of importsOf(text)) {
      if (from.startsWith('node:')) continue;
      if (!from.startsWith('.')) packages.add(packageName(from));
      else if (join(folder, dirname(path), from).startsWith(folder) === false) outside.add(`${path}: ${from}`);
    }
  }
  assert.deepEqual([...outside], ['internal.ts: ../../src/questions/fleet/internal.js']);
  assert.deepEqual([...packages].sort(), Object.keys(dependencies).sort());
});

test(`no file of src has more than ${MAX_LINES} lines: a concept that is longer is two`, () => {
  const lines = FILES.map(({ path, text }) => ({ path, count: text.split('\n').length - 1 }));
  assert.deepEqual(
    lines.filter(({ count }) => count > MAX_LINES),
    [],
  );
});

test('the modules of linking import functions only from those before them', () => {
  const questions = FILES.find(({ path }) => path === 'graph/link/questions.ts');
  const order = [...(questions?.text ?? '').matchAll(/^ \* \d\. ([a-z, -]+):/gm)].flatMap((row) => row[1].split(', '));
  const modules = FILES.filter(({ path }) => path.startsWith('graph/link/'));
  assert.deepEqual(
    [...order].sort(),
    modules.map(({ path }) => path.slice('graph/link/'.length, -'.ts'.length)).sort(),
  );
  const wrong = modules.flatMap((file) =>
    file.imports.flatMap(({ from, typeOnly }) => {
      const [own, other] = [file.path, resolve(file, from)].map((path) => order.indexOf(path.slice(11, -3)));
      return !typeOnly && other >= own ? [`${file.path} -> ${from}`] : [];
    }),
  );
  assert.deepEqual(wrong, []);
});
