// How long linking takes: everything, and again after each of the last commits. `node test/bench/graph-link.mjs DIR [COMMITS]`
// Needs `npm run build`. Facts are extracted once per blob and kept under the temporary directory.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [directory, commits = '30', code = '../../dist'] = process.argv.slice(2);
const { detectLanguage } = await import(`${code}/languages/detect.js`);
const { extract } = await import(`${code}/extract/extract.js`);
const { hasRelations, loadAllRules } = await import(`${code}/languages/registry.js`);
const { LANGUAGE_IDS } = await import(`${code}/languages/ids.js`);
const { loadImports } = await import(`${code}/languages/resolver.js`);
const { decodeLinkFacts, encodeLinkFacts } = await import(`${code}/record/link-facts.js`);
const { isManifest } = await import(`${code}/session/graph/sources.js`);
const { linkSnapshot, missingFacts } = await import(`${code}/graph/link/link-snapshot.js`);
const { decodeMemory, decodeTables, encodeMemory, encodeTables } = await import(`${code}/graph/store.js`);
const { factsKey } = await import(`${code}/graph/tables.js`);
await Promise.all([loadAllRules(), loadImports(LANGUAGE_IDS)]);

const cache = join(tmpdir(), 'socraticode-bench-facts', createHash('sha1').update(resolve(directory)).digest('hex'));
mkdirSync(cache, { recursive: true });
const MOST_BYTES = 1 << 20;

const git = (...args) => execFileSync('git', ['-C', directory, ...args], { maxBuffer: 1 << 30 });
const blob = (oid) => git('cat-file', 'blob', oid);

function factsOf(file) {
  const place = join(cache, `${file.oid}-${file.language}`);
  if (existsSync(place)) return decodeLinkFacts(readFileSync(place));
  const { facts } = extract(blob(file.oid), file.language);
  if (facts === undefined) return undefined;
  writeFileSync(place, encodeLinkFacts(facts));
  return decodeLinkFacts(readFileSync(place));
}

function inputOf(commit, previous) {
  const files = [];
  const others = new Set();
  const manifests = new Map();
  for (const line of git('ls-tree', '-r', '-z', '-l', commit).toString().split('\0')) {
    const match = /^100\d+ blob (\w+)\s+(\d+)\t(.*)$/s.exec(line);
    if (match === null) continue;
    const [, oid, size, path] = match;
    const language = detectLanguage(path);
    if (isManifest(path)) manifests.set(path, blob(oid).toString());
    if (language === null) others.add(path);
    else files.push({ path, oid, language, state: hasRelations(language) && size < MOST_BYTES ? 'linked' : 'none' });
  }
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  const facts = new Map();
  for (const file of missingFacts(files, previous)) {
    const found = factsOf(file);
    if (found !== undefined) facts.set(factsKey(file), found);
  }
  return { files, facts, others, manifests };
}

function timed(run) {
  // Processor time of this process: other work on the machine doesn't count.
  const start = process.cpuUsage();
  const result = run();
  const { user, system } = process.cpuUsage(start);
  return [result, (user + system) / 1000];
}

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const show = (values) => `median ${median(values).toFixed(0)} ms, worst ${Math.max(...values).toFixed(0)} ms`;

const list = git('rev-list', '--first-parent', '-n', String(Number(commits) + 1), 'HEAD')
  .toString()
  .trim()
  .split('\n')
  .reverse();
const first = inputOf(list[0], null);
const base = process.memoryUsage().rss;
const full = [];
let linked;
for (let i = 0; i < 3; i++) {
  const [result, time] = timed(() => linkSnapshot(first, null));
  linked = result;
  full.push(time);
}
const { tables } = linked;
const tiers = new Map();
for (const tier of tables.edgeTier) tiers.set(tier, (tiers.get(tier) ?? 0) + 1);
console.log(
  `${tables.files.length} files, ${tables.nodeName.length} nodes, ${tables.edgeTo.length} edges, ${tables.strings.length} strings`,
);
console.log(
  `edges by tier: ${[...tiers]
    .sort((a, b) => a[0] - b[0])
    .map(([tier, count]) => `${tier}:${count}`)
    .join(' ')}`,
);
console.log(`full link: first ${full[0].toFixed(0)} ms, ${show(full)}`);
console.log(`memory: ${process.memoryUsage().rss >> 20} MiB now, ${base >> 20} MiB before`);
const [bytes, encoding] = timed(() => [encodeTables(tables), encodeMemory(linked.memory)]);
const [, decodingTables] = timed(() => decodeTables(bytes[0]));
const [, decodingMemory] = timed(() => decodeMemory(bytes[1]));
console.log(
  `store: ${bytes.map(({ length }) => `${(length / 1e6).toFixed(1)} MB`).join(' + ')}, written in ${encoding.toFixed(0)} ms, read in ${decodingTables.toFixed(0)} + ${decodingMemory.toFixed(0)} ms`,
);
const times = [];
for (const commit of list.slice(1)) {
  const input = inputOf(commit, linked);
  const before = linked;
  const [result, time] = timed(() => linkSnapshot(input, before));
  times.push(time);
  if (process.env.VERBOSE) console.log(`${commit.slice(0, 9)} ${input.facts.size} new facts, ${time.toFixed(0)} ms`);
  linked = result;
}
console.log(`relink after each of ${times.length} commits: ${show(times)}`);
console.log(`peak memory: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB`);
