// The raw limits of indexing: reading the selected blobs with one `git cat-file --batch`, and parsing them, nothing else: once with the
// native parsers of ast-grep, the fastest there are, and once with those of this program, in WebAssembly.
import { blobsOf, readBlobs } from './blobs.mjs';

const dist = new URL('../../dist/', import.meta.url);
const { keepBaselineWasm } = await import(new URL('base/runtime.js', dist));
const { Session } = await import(new URL('session/session.js', dist));
const { parseWithGrammar } = await import(new URL('extract/syntax-tree.js', dist));
const { loadPatternParsers, parseForPatterns } = await import(new URL('extract/structural-search.js', dist));
const { languageOf } = await import(new URL('languages/registry.js', dist));

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e3;
};

/**
 * Milliseconds by the clock for reading and for each way of parsing the files that `index` would take, the processor time of both
 * ways, and the files' bytes. `withoutNative`: files of grammars that ast-grep does not contain; only WebAssembly parses them.
 */
export async function rawLimits(dir) {
  const session = await Session.open({ directory: dir });
  const { catalog } = await session.files();
  session.close();
  keepBaselineWasm();
  await loadPatternParsers();
  const languages = new Map(catalog.files.map((file) => [file.oid, file.language ?? 'text']));
  const from = performance.now();
  const output = readBlobs(dir, languages.keys());
  const catFileMs = performance.now() - from;
  const texts = [];
  let bytes = 0;
  for (const { oid, content } of blobsOf(output)) {
    bytes += content.length;
    const grammar = languageOf(languages.get(oid))?.grammar?.name;
    if (grammar !== undefined) texts.push({ grammar, text: content.toString('utf8') });
  }
  const withNative = texts.filter(({ grammar }) => parseForPatterns(grammar, '') !== null);
  const [natively, wasm] = [await timed(withNative, parseForPatterns), await timed(texts, parseWithGrammar)];
  return {
    catFileMs,
    parseMs: natively.ms,
    parseCpuMs: natively.cpuMs,
    wasmParseMs: wasm.ms,
    wasmParseCpuMs: wasm.cpuMs,
    withoutNative: texts.length - withNative.length,
    bytes,
  };
}

async function timed(texts, parse) {
  const from = performance.now();
  const cpu = cpuMs();
  for (const [i, { grammar, text }] of texts.entries()) {
    parse(grammar, text);
    // Native trees are freed between turns of the event loop.
    if (i % 20 === 0) await new Promise((next) => setImmediate(next));
  }
  return { ms: performance.now() - from, cpuMs: cpuMs() - cpu };
}
