/**
 * Writes `highlighter.js`, the worker that colours code in the web page: the library, its grammars and `worker.js`, one after the
 * other. `test/house/web.test.ts` fails if the file differs from what this makes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const PACKAGE = '@highlightjs/cdn-assets';

/** Grammars that the library's file lacks; that one has 36, such as TypeScript, Python, Go and Rust. */
const FURTHER = ['dart', 'dockerfile', 'elixir', 'haskell', 'scala'];

export function makeWorker() {
  const require = createRequire(import.meta.url);
  const read = (path) => readFileSync(require.resolve(`${PACKAGE}/${path}`), 'utf8').trim();
  const worker = readFileSync(new URL('worker.js', import.meta.url), 'utf8');
  const parts = [read('highlight.min.js'), ...FURTHER.map((name) => read(`languages/${name}.min.js`)), worker];
  return parts.join('\n');
}

if (process.argv[1] === new URL(import.meta.url).pathname)
  writeFileSync(new URL('highlighter.js', import.meta.url), makeWorker());
