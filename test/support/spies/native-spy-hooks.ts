/** Module hooks: lines added to the built program, by the ends of its modules' names. Loaded by `native-spy`. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Functions and classes of a module can be assigned within it, and its exports follow. */
const ADDED: Readonly<Record<string, string>> = {
  'src/base/binary.js': `
    { const pack = packSections;
      packSections = (...args) => { const bytes = pack(...args); spy.bytes('made', 'sections', bytes); return bytes; };
      Sections = new Proxy(Sections, { construct(target, args) {
        spy.bytes('given', 'sections', args[0]); return new target(...args); } }); }`,
  'src/shard/vector-shard.js': `
    { const [write, read] = [writeVectorShard, readVectorShard];
      writeVectorShard = (...args) => { const shard = write(...args); spy.seal('made', 'vectors', shard.digest); return shard; };
      readVectorShard = (...args) => { const shard = read(...args); if (shard) spy.seal('given', 'vectors', shard.digest); return shard; }; }`,
  'src/shard/hnsw.js': `
    { const kept = save;
      save = (index, dimensions, path, json) => { kept(index, dimensions, path, json); spy.file('made', 'usearch', path); }; }`,
};

/** What stands there, and what instead. */
const CHANGED: Readonly<Record<string, readonly [string, string]>> = {
  'src/shard/nearest.js': ['HNSW_MIN_ROWS = 100_000', 'HNSW_MIN_ROWS = 8'],
  'src/shard/hnsw.js': [
    "createRequire(import.meta.url)('usearch')",
    "spy.usearch(createRequire(import.meta.url)('usearch'))",
  ],
  'src/search/lexical.js': ["await import('flexsearch')", "spy.flexsearch(await import('flexsearch'))"],
};

type NextLoad = (url: string, context: unknown) => Promise<{ source?: unknown; format: string }>;

export async function load(url: string, context: unknown, nextLoad: NextLoad) {
  const added = Object.keys(ADDED).find((name) => url.endsWith(name));
  const changed = Object.keys(CHANGED).find((name) => url.endsWith(name));
  if (added === undefined && changed === undefined) return nextLoad(url, context);
  let source = readFileSync(fileURLToPath(url), 'utf8');
  if (changed !== undefined) {
    const [from, to] = CHANGED[changed];
    if (!source.includes(from)) throw new Error(`${changed} has changed: nothing would be seen`);
    source = source.replace(from, to);
  }
  return { format: 'module', shortCircuit: true, source: source + (added === undefined ? '' : ADDED[added]) };
}
