/**
 * What publications cost a server, without the commands that make them: writers of one process, each with a repository of its own,
 * change five files a round and send plan, units and view over HTTP to a server over a store on a disk.
 *
 *     node test/bench/fleet-writers.mjs --clone DIR [--writers 8] [--rounds 10] [--store DIR] [--build build/src]
 *
 * `--clone` is a clone with an index: all its files are published once for each writer. Without `--store` the store is new and removed.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { cpuMs, memoryMb, middle, startServer } from './fleet-server.mjs';

const options = Object.fromEntries(
  process.argv.slice(2).flatMap((word, i, all) => (word.startsWith('--') ? [[word.slice(2), all[i + 1]]] : [])),
);
const build = resolve(options.build ?? 'build/src');
const load = (path) => import(pathToFileURL(join(build, path)));
const [{ Publisher }, { HttpTarget }, { installedProfile }, { Session }, keys, view, corpus] = await Promise.all([
  load('../fleet/src/publish/publish.js'),
  load('../fleet/src/publish/http.js'),
  load('../fleet/src/publish/profile.js'),
  load('session/session.js'),
  load('../fleet/src/keys.js'),
  load('../fleet/src/view.js'),
  load('search/corpus.js'),
]);
const [codec, { noRelations }] = await Promise.all([
  load('record/syntax-codec.js'),
  load('languages/roles/relation-facts.js'),
]);
const profile = installedProfile({ embedder: { name: 'builtin' } });
const CHANGED = 5;
const BATCH = 200;

/** Keeps what a clone publishes. */
const kept = { uploads: [], published: null };
const keeper = {
  plan: async ({ keys: all }) => ({ previous: '', missing: [...all] }),
  units: async ({ units }) => ({ stored: kept.uploads.push(...units) }),
  view: async (published) => {
    kept.published = published;
    return { outcome: 'published' };
  },
};
const session = await Session.open({ directory: resolve(options.clone) });
const progress = { update() {}, finish() {} };
const publisher = new Publisher(session, keeper, profile, { repo: 'bench/source', family: 'bench/source', progress });
await publisher.publish({ ref: 'HEAD', name: 'main', isDefault: true });
session.close();

const files = view.decodeFacts(kept.published.facts);
const source = keys.familyId('bench/source');
const byKey = new Map(kept.uploads.map((upload) => [keys.unitKey(source, upload.oid, upload.language), upload]));

/** The upload with other letters in its last words: another content, of the same size. */
function changed(upload, mark) {
  const text = inflateRawSync(upload.text);
  const letters = createHash('md5').update(mark).digest();
  for (let at = text.length - 1, left = letters.length; at >= 0 && left > 0; at--)
    if (text[at] >= 97 && text[at] <= 122) text[at] = 97 + (letters[--left] % 26);
  const oid = createHash('sha1').update(`blob ${text.length}\0`).update(text).digest('hex');
  const { record } = codec.decodeChunksAndSymbols(upload.record, upload.oid);
  const facts = { relations: noRelations(), ...record.facts[upload.language] };
  const packed = codec.encodeUnchecked(oid, { facts: { [upload.language]: facts } });
  return { ...upload, oid, text: new Uint8Array(deflateRawSync(text)), record: packed };
}

const commitOf = (text) => createHash('sha1').update(text).digest('hex');

class Writer {
  constructor(url, number) {
    this.target = new HttpTarget(url, { token: undefined });
    this.repo = `writers/w${number}`;
    this.family = keys.familyId(this.repo);
    this.about = { profile: profile.id, repo: this.repo, family: this.repo, ref: 'main' };
    this.uploads = Array.from({ length: files.length }, (_, i) => byKey.get(keys.keyOf(files.keys, i)));
  }

  /** Publishes, after `work` files were changed; adds the milliseconds of each step to `steps`. */
  async publish(round, steps) {
    const step = Math.max(1, Math.floor(this.uploads.length / CHANGED));
    for (let i = 0; round > 0 && i < CHANGED; i++) {
      const at = (i * step + round) % this.uploads.length;
      this.uploads[at] = changed(this.uploads[at], `${this.repo} ${round}`);
    }
    const keysNow = this.uploads.map(({ oid, language }) => keys.unitKey(this.family, oid, language));
    const timed = async (name, work) => {
      const begun = performance.now();
      const answer = await work();
      steps?.[name].push(performance.now() - begun);
      return answer;
    };
    const begun = performance.now();
    const { previous, missing } = await timed('plan', () => this.target.plan({ ...this.about, keys: keysNow }));
    const wanted = new Set(missing);
    const units = this.uploads.filter((_, i) => wanted.has(keysNow[i]));
    for (let i = 0; i < units.length; i += BATCH)
      await timed('units', () => this.target.units({ ...this.about, units: units.slice(i, i + BATCH) }));
    const facts = view.encodeFacts(keysNow.map((key, i) => this.fileOf(key, i)));
    const { stats, links } = kept.published;
    const commit = commitOf(`${this.repo} ${round}`);
    const head = { commit, previous, tree: commitOf('tree'), covered: files.length, total: files.length };
    const asked = { ...this.about, ...head, isDefault: true, facts, stats, links, keep: 0 };
    const { outcome } = await timed('view', () => this.target.view(asked));
    steps?.all.push(performance.now() - begun);
    return outcome === 'published';
  }

  fileOf(key, i) {
    return {
      key,
      language: this.uploads[i].language,
      paths: files.paths.slice(files.pathStart[i], files.pathStart[i + 1]),
      pathClass: corpus.PATH_CLASSES[files.classes[i]],
      centrality: files.centrality[i],
    };
  }
}

const folder = options.store === undefined ? mkdtempSync(join(tmpdir(), 'fleet-writers-')) : resolve(options.store);
const server = await startServer(join(build, 'cli/main.js'), pathToFileURL(folder).href);
const stamp = options.store === undefined ? '' : `${Date.now()}-`;
const all = Array.from({ length: Number(options.writers ?? 8) }, (_, i) => new Writer(server.url, `${stamp}${i}`));
for (const writer of all) await writer.publish(0, null);
const rounds = Number(options.rounds ?? 10);
for (const together of [all.slice(0, 1), all]) {
  const steps = { plan: [], units: [], view: [], all: [] };
  const from = 1 + rounds * (together.length > 1 ? 1 : 0);
  const [cpu, begun, own] = [cpuMs(server.pid), performance.now(), process.cpuUsage()];
  let failed = 0;
  await Promise.all(
    together.map(async (writer) => {
      for (let round = from; round < from + rounds; round++) if (!(await writer.publish(round, steps))) failed++;
    }),
  );
  const done = steps.all.length;
  const seconds = (performance.now() - begun) / 1e3;
  const { user, system } = process.cpuUsage(own);
  const times = Object.entries(steps).map(
    ([name, list]) => `${name} ${middle(list).toFixed(0)} (p95 ${middle(list, 0.95).toFixed(0)})`,
  );
  console.log(
    `${together.length} writers: ${done} publications of ${CHANGED} files, ${failed} failed, ${(done / seconds).toFixed(2)} a second; ms of the clock, p50: ${times.join(', ')}; CPU a publication: server ${((cpuMs(server.pid) - cpu) / done).toFixed(0)} ms, writer ${((user + system) / 1e3 / done).toFixed(0)} ms; memory of the server ${memoryMb(server.pid).toFixed(0)} MB`,
  );
}
await server.close();
if (options.store === undefined) rmSync(folder, { recursive: true });
