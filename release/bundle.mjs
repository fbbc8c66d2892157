/**
 * Joins compiled modules in `dist/`, or in the folder that is named; every build runs this. `bundle.js` is the program, which
 * `src/base/bundle.ts` starts: chunks stay functions that are called when they are needed, so that a command pays for its own modules
 * alone. The programs of the two pages are one script each, since a browser takes 100 ms to fetch 30 modules from its own cache.
 * `bundle.LICENSES.txt` has the licences of the packages within.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = resolve(ROOT, process.argv[2] ?? 'dist') + sep;
/** Native packages, those that users add themselves, and one whose files are in a form that no bundler follows. */
const EXTERNAL = [/^@ast-grep\//, 'usearch', 'jsonc-parser'];
/** Main modules: `BundleEntry` in `src/base/bundle.ts`. */
const ENTRIES = {
  program: 'cli/program.js',
  parser: 'indexer/parser-answers.js',
  background: 'serve/background-job.js',
};
/** A page's main module, its script, and the form of that. The second page is a file that people pass on, so it holds licences as well. */
const PAGES = [
  ['web/page/main.js', 'web/page-bundle.js', 'esm'],
  ['graph/picture/page/main.js', 'graph/picture/page-bundle.js', 'iife'],
];
const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
const NOT_ASCII = /[\u0080-\uffff]/g;

const output = await joined(
  {
    input: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, join(DIST, file)])),
    platform: 'node',
    external: EXTERNAL,
    plugins: [{ name: 'module-urls', transform: withModuleUrl }],
  },
  {
    format: 'cjs',
    entryFileNames: '[name]',
    chunkFileNames: '[hash]',
    // `import()` in a script needs an experimental part of Node, which warns.
    dynamicImportInCjs: false,
    // Stack traces show names.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  },
);
const names = new Set(output.map(({ fileName }) => `./${fileName}`));
const functions = output.map(({ fileName, isEntry, code }) => {
  const name = isEntry ? fileName : `./${fileName}`;
  for (const [, file] of code.matchAll(/\brequire\(["'`](\.[^"'`]*)["'`]\)/g))
    if (!names.has(file)) throw new Error(`${file} is required and was not joined`);
  return `${JSON.stringify(name)}:function(exports,require,root){${inAscii(code)}\n}`;
});
const source = `({${functions.join(',\n')}})\n`;
const digest = createHash('sha256').update(source).digest('hex').slice(0, 16);
// Compiled code of earlier bundles.
rmSync(join(DIST, 'code'), { recursive: true, force: true });
// At once: a build that is killed leaves no half of a program.
writeFileSync(join(DIST, 'bundle.js.new'), `// ${digest}\n${source}`);
renameSync(join(DIST, 'bundle.js.new'), join(DIST, 'bundle.js'));
for (const [main, script, format] of PAGES) {
  const [page] = await joined({ input: join(DIST, main), platform: 'browser' }, { format, minify: true });
  writeFileSync(join(DIST, script), format === 'iife' ? `/*\n${licences([page])}*/\n${page.code}` : page.code);
  output.push(page);
}
writeFileSync(join(DIST, 'bundle.LICENSES.txt'), licences(output));

/** The chunks. */
async function joined(from, form) {
  const bundle = await rolldown({ ...from, onLog: refuseUnresolved });
  try {
    return (await bundle.generate({ ...form, comments: false })).output;
  } finally {
    await bundle.close();
  }
}

/** An import that is not found would be left to the machine of the user. */
function refuseUnresolved(_, { code, message }) {
  if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
}

/** A module of ours keeps the URL of its own file: it finds data, workers and pages beside it. */
function withModuleUrl(code, id) {
  if (!id.startsWith(DIST) || !code.includes('import.meta.url')) return null;
  const file = JSON.stringify(relative(DIST, id).replaceAll('\\', '/'));
  return code.replaceAll(/(?<!')import\.meta\.url/g, `new URL(${file},root).href`);
}

/** One byte a character, so that V8 need not decode it. */
function inAscii(code) {
  if (/String\.raw`[^`]*[\u0080-\uffff]/.test(code)) throw new Error('String.raw would show escaped characters');
  return code.replaceAll(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function licences(chunks) {
  const folders = chunks.flatMap(({ moduleIds }) => moduleIds).map((id) => PACKAGE.exec(id)?.[0]);
  return [...new Set(folders)]
    .filter((folder) => folder !== undefined)
    .sort()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const files = readdirSync(folder).filter((file) => /^licen[cs]e/i.test(file));
      return `${name} ${version}: ${license}\n\n${files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')}`;
    })
    .join(`\n${'-'.repeat(80)}\n`);
}
