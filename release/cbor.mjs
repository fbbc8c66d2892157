/**
 * Copies the pure JavaScript half of cbor-x into `dist/node_modules`, where the program finds it; every build runs this. As a
 * dependency, cbor-x would bring its native half along (`cbor-extract`), which nothing here loads and whose install script npm
 * warns of.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FROM = join(ROOT, 'node_modules/cbor-x');
const TO = join(ROOT, 'dist/node_modules/cbor-x');

/** `index.js` imports the others; the licence asks to go along. */
const FILES = ['LICENSE', 'index.js', 'encode.js', 'decode.js', 'iterators.js', 'scan.js'];

const { name, version, author, license, repository } = JSON.parse(readFileSync(join(FROM, 'package.json'), 'utf8'));
const exports = { './encode': './index.js', './decode': './index.js' };

mkdirSync(TO, { recursive: true });
for (const file of FILES) copyFileSync(join(FROM, file), join(TO, file));
const manifest = { name, version, author, license, repository, type: 'module', exports };
writeFileSync(join(TO, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
