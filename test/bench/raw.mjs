// The raw limits of indexing: reading the selected blobs with one `git cat-file --batch`, and parsing them, nothing else.
import { blobsOf, readBlobs } from './blobs.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { Session } = await import(new URL('session/session.js', dist));
const { parseWithGrammar } = await import(new URL('extract/grammar.js', dist));
const { languageOf } = await import(new URL('languages/registry.js', dist));

/** Milliseconds for both steps over the files that `index` would take, and their bytes. */
export async function rawLimits(dir) {
  const session = await Session.open({ directory: dir });
  const { catalog } = await session.files();
  session.close();
  const languages = new Map(catalog.files.map((file) => [file.oid, file.language ?? 'text']));
  const from = performance.now();
  const output = readBlobs(dir, languages.keys());
  const read = performance.now();
  let bytes = 0;
  let count = 0;
  for (const { oid, content } of blobsOf(output)) {
    bytes += content.length;
    const grammar = languageOf(languages.get(oid))?.grammar;
    if (grammar !== undefined) parseWithGrammar(grammar.name, content.toString('utf8'));
    // Native trees are freed between turns of the event loop.
    if (++count % 20 === 0) await new Promise((next) => setImmediate(next));
  }
  return { catFileMs: read - from, parseMs: performance.now() - read, bytes };
}
