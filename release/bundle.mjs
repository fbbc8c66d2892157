/**
 * Writes `bundle.js` into `dist/`, or into the folder that is named: `src/base/bundle.ts` starts the program from it. Every build runs
 * this. Chunks stay functions that are called when they are needed, so that a command pays for its own modules alone.
 * `bundle.LICENSES.txt` has the licences of the packages within.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = resolve(ROOT, process.argv[2] ?? 'dist') + sep;
/** Native packages, and those that users add themselves. */
const EXTERNAL = [/^@ast-grep\//, 'usearch', '@lancedb/lancedb', 'apache-arrow'];
const PACKAGE = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;
const NOT_ASCII = /[\u0080-\uffff]/g;

const bundle = await rolldown({
  input: { program: join(DIST, 'cli/program.js') },
  platform: 'node',
  external: EXTERNAL,
  plugins: [{ name: 'module-urls', transform: withModuleUrl }],
  logLevel: 'silent',
});
const { output } = await bundle.generate({
  format: 'cjs',
  entryFileNames: '[name]',
  chunkFileNames: '[hash]',
  comments: false,
  minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
});
await bundle.close();

const functions = output.map(({ fileName, isEntry, code }) => {
  const name = isEntry ? fileName : `./${fileName}`;
  return `${JSON.stringify(name)}:function(exports,require,root){${inAscii(code)}\n}`;
});
const source = `({${functions.join(',\n')}})\n`;
const digest = createHash('sha256').update(source).digest('hex').slice(0, 16);
// Compiled code of earlier bundles.
rmSync(join(DIST, 'code'), { recursive: true, force: true });
writeFileSync(join(DIST, 'bundle.js'), `// ${digest}\n${source}`);
writeFileSync(join(DIST, 'bundle.LICENSES.txt'), licences());

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

function licences() {
  const folders = output.flatMap(({ moduleIds }) => moduleIds).map((id) => PACKAGE.exec(id)?.[0]);
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
