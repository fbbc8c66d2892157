/**
 * Copies what the program needs of two packages into `dist/node_modules`, where it finds them; every build runs this. As dependencies they
 * would bring much along that nothing here loads, and install scripts, of which npm warns whoever installs the program: cbor-x its
 * native half (`cbor-extract`), usearch the source of its library (14 of 22 MB).
 */
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const from = (name) => join(ROOT, 'node_modules', name);

/** `index.js` imports the others; the licence asks to go along. */
const CBOR_FILES = ['LICENSE', 'index.js', 'encode.js', 'decode.js', 'iterators.js', 'scan.js'];
const cbor = folderFor('cbor-x', { type: 'module', exports: { './encode': './index.js', './decode': './index.js' } });
for (const file of CBOR_FILES) copyFileSync(join(from('cbor-x'), file), join(cbor, file));

/** The licences of all that `index.js` and the libraries hold. */
const LICENCES = [
  'usearch/LICENSE',
  'usearch/numkong/LICENSE',
  'node-gyp-build/LICENSE',
  'bindings/LICENSE.md',
  'file-uri-to-path/LICENSE',
];
const usearch = folderFor('usearch', { type: 'commonjs', main: 'index.js' });
const bundle = await rolldown({ input: join(from('usearch'), 'javascript/dist/cjs/usearch.js'), platform: 'node' });
await bundle.write({ file: join(usearch, 'index.js'), format: 'cjs', comments: false });
await bundle.close();
cpSync(join(from('usearch'), 'prebuilds'), join(usearch, 'prebuilds'), { recursive: true });
writeFileSync(
  join(usearch, 'LICENSE'),
  LICENCES.map((file) => `${file}\n\n${readFileSync(from(file), 'utf8')}`).join(`\n${'-'.repeat(80)}\n`),
);

/** Makes the folder of a copy with its manifest. */
function folderFor(packageName, entry) {
  const { name, version, author, license, repository } = JSON.parse(
    readFileSync(join(from(packageName), 'package.json'), 'utf8'),
  );
  const folder = join(ROOT, 'dist/node_modules', packageName);
  mkdirSync(folder, { recursive: true });
  const manifest = { name, version, author, license, repository, ...entry };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return folder;
}
