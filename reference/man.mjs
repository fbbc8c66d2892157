// Writes the manual into dist/man, after each build: `npm install --global` puts its pages where man(1) finds them.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { manual } from './pages.mjs';
import { loadModules } from './program.mjs';

const DIST = new URL('../dist/', import.meta.url);
const FOLDER = new URL('man/', DIST);

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of await manual(await loadModules(DIST))) writeFileSync(new URL(name, FOLDER), text);
