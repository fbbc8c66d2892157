// Writes the pages of docs/ that come from declarations, and the list of manual pages in package.json. Run `npm run reference`
// after a change; a test compares.
import { readFileSync, writeFileSync } from 'node:fs';
import { manual, pages } from './pages.mjs';
import { loadModules } from './program.mjs';

const ROOT = new URL('../', import.meta.url);
const modules = await loadModules(new URL('dist/', ROOT));
for (const { name, text } of await pages(modules)) writeFileSync(new URL(name, ROOT), text);

// npm links the pages that are listed. It expands `directories.man` when it publishes, but not when it installs a file.
const manifest = new URL('package.json', ROOT);
const content = JSON.parse(readFileSync(manifest, 'utf8'));
content.man = [...(await manual(modules)).keys()].sort().map((file) => `dist/man/${file}`);
writeFileSync(manifest, `${JSON.stringify(content, null, 2)}\n`);
