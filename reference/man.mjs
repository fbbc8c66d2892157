// Writes the manual into dist/man, after each build: `npm install --global` puts its pages where man(1) finds them. Beside it go the types
// of the library.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { libraryTypes } from './library-types.mjs';
import { manual } from './pages.mjs';
import { loadModules } from './program.mjs';

const DIST = new URL('../dist/', import.meta.url);
const FOLDER = new URL('man/', DIST);

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
const modules = await loadModules(DIST);
for (const [name, text] of await manual(modules)) writeFileSync(new URL(name, FOLDER), text);
writeFileSync(new URL('library.d.ts', DIST), await libraryTypes(modules));
