/**
 * Fills a fleet on a disk with many repositories made from few: each clone is published once as it is, and then as often as it
 * takes with thirty per cent of its words changed letter by letter, so that every copy has its own blobs, words and vectors.
 *
 *     node test/bench/fleet-copies.mjs --clones DIR,DIR --store DIR [--units 300000] [--minutes 60] [--build build/src]
 *
 * Every unit passes the checks of a server's intake; only HTTP is left out. A store that is there goes on growing.
 */
import { createHash } from 'node:crypto';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

const options = Object.fromEntries(
  process.argv.slice(2).flatMap((word, i, all) => (word.startsWith('--') ? [[word.slice(2), all[i + 1]]] : [])),
);
const build = resolve(options.build ?? 'build/src');
const load = (path) => import(pathToFileURL(join(build, path)));
const [{ openEngine }, { FleetIntake }, { Publisher }, { installedProfile }, { Session }, keys, view, codec] =
  await Promise.all([
    load('../fleet/src/open.js'),
    load('../fleet/src/intake.js'),
    load('../fleet/src/publish/publish.js'),
    load('../fleet/src/publish/profile.js'),
    load('session/session.js'),
    load('../fleet/src/keys.js'),
    load('../fleet/src/view.js'),
    load('record/syntax-codec.js'),
  ]);

const MOST_UNITS = Number(options.units ?? 300_000);
const UNTIL = Date.now() + 60_000 * Number(options.minutes ?? 60);
/** Rows that are appended at once: each append is a version of two tables. */
const APPENDED = 4_000;
const CHANGED = 0.3;

/** Changes thirty per cent of the words of a text, others in every copy. A changed word keeps its length and its capitals. */
function changer(copy) {
  const known = new Map();
  const turned = (word) => {
    let found = known.get(word);
    if (found === undefined) {
      const hash = createHash('md5').update(`${copy} ${word}`).digest();
      const by = hash.readUInt32LE(0) / 2 ** 32 < CHANGED ? 1 + (hash[4] % 25) : 0;
      found =
        by === 0 ? word : word.replace(/[a-z]/g, (c) => String.fromCharCode(97 + ((c.charCodeAt(0) - 97 + by) % 26)));
      known.set(word, found);
    }
    return found;
  };
  const word = (text) => {
    const low = text.toLowerCase();
    const other = turned(low);
    if (other === low) return text;
    return text === low ? other : text[0] === low[0] ? other : other[0].toUpperCase() + other.slice(1);
  };
  return (text) => text.replace(/[A-Z]?[a-z]{3,}/g, word);
}

/** Takes the publication of a clone, and gives it to the store once for each copy. */
class Copies {
  uploads = [];
  constructor(family) {
    this.family = family;
  }
  async plan({ keys: all }) {
    return { previous: '', missing: [...all] };
  }
  async units({ units }) {
    this.uploads.push(...units);
    return { stored: units.length };
  }
  async view(published) {
    this.published = published;
    return { outcome: 'published' };
  }
}

/** Null for the few contents with a name that rules of a language made, whose words in the text are changed differently. */
function changedUpload(upload, change) {
  const text = Buffer.from(change(inflateRawSync(upload.text).toString('latin1')), 'latin1');
  const oid = createHash('sha1').update(`blob ${text.length}\0`).update(text).digest('hex');
  const { record } = codec.decodeChunksAndSymbols(upload.record, upload.oid);
  const facts = record.facts[upload.language];
  for (const symbol of facts.symbols) symbol.name = change(symbol.name);
  facts.relations ??= { ...EMPTY };
  if (codec.contradictionOf(facts, upload.language, text) !== null) return null;
  return {
    ...upload,
    oid,
    text: deflateRawSync(text),
    record: codec.encodeUnchecked(oid, { facts: { [upload.language]: facts } }),
  };
}

const { noRelations } = await load('languages/roles/relation-facts.js');
const EMPTY = noRelations();
const profile = installedProfile({ embedder: { name: 'builtin' } });
const engine = await openEngine(pathToFileURL(resolve(options.store)).href, profile);
const intake = new FleetIntake(engine);
const append = engine.append.bind(engine);
let waiting = { units: [], records: [] };
engine.append = async (units, records) => {
  waiting.units.push(...units);
  waiting.records.push(...records);
  if (waiting.units.length >= APPENDED) await flush();
};
async function flush() {
  const { units, records } = waiting;
  waiting = { units: [], records: [] };
  if (units.length > 0) await append(units, records);
}

/** Publishes one copy of a clone. Copy 0 is the clone itself. */
async function publishCopy({ name, target }, copy) {
  const repo = copy === 0 ? `bench/${name}` : `copy${copy}/${name}`;
  const change = copy === 0 ? (text) => text : changer(copy);
  const about = { profile: profile.id, repo, family: repo, ref: 'main' };
  const family = keys.familyId(repo);
  const keyOf = new Map();
  let batch = [];
  const send = async () => {
    if (batch.length > 0) await intake.units({ ...about, units: batch });
    batch = [];
  };
  const source = keys.familyId(`bench/${name}`);
  for (const upload of target.uploads) {
    const own = copy === 0 ? upload : changedUpload(upload, change);
    if (own === null) continue;
    keyOf.set(keys.unitKey(source, upload.oid, upload.language), keys.unitKey(family, own.oid, own.language));
    batch.push(own);
    if (batch.length === 200) await send();
  }
  await send();
  await flush();
  const { facts, stats, ...rest } = target.published;
  const files = view.decodeFacts(facts);
  const own = view.encodeFacts(
    Array.from({ length: files.length }, (_, i) => ({
      key: keyOf.get(keys.keyOf(files.keys, i)),
      language: files.languages[files.language[i]],
      paths: files.paths.slice(files.pathStart[i], files.pathStart[i + 1]),
      pathClass: CLASSES[files.classes[i]],
      centrality: files.centrality[i],
    })).filter(({ key }) => key !== undefined),
  );
  const known = view.decodeStats(stats);
  const df = new Map([...known.df].map(([term, count]) => [change(term), count]));
  const answer = await intake.view({
    ...rest,
    ...about,
    previous: '',
    facts: own,
    stats: view.encodeStats({ ...known, df }),
  });
  return { outcome: answer.outcome, units: keyOf.size };
}
const { PATH_CLASSES: CLASSES } = await load('search/corpus.js');

const sources = [];
for (const dir of options.clones.split(',').map((each) => resolve(each))) {
  const name = basename(dir);
  const session = await Session.open({ directory: dir });
  const target = new Copies();
  const repo = `bench/${name}`;
  await new Publisher(session, target, profile, { repo, family: repo, progress: { update() {}, finish() {} } }).publish(
    {
      ref: 'HEAD',
      name: 'main',
      isDefault: true,
    },
  );
  session.close();
  sources.push({ name, target });
}
const has = async (repo) => (await engine.readViews({ parts: 'heads', repo })).views.length > 0;
let total = 0;
const started = Date.now();
for (let copy = 0; total < MOST_UNITS && Date.now() < UNTIL; copy++)
  for (const source of sources) {
    if (total >= MOST_UNITS || Date.now() >= UNTIL) break;
    const repo = copy === 0 ? `bench/${source.name}` : `copy${copy}/${source.name}`;
    if (await has(repo)) {
      total += source.target.uploads.length;
      continue;
    }
    const { outcome, units } = await publishCopy(source, copy);
    total += units;
    const { user, system } = process.cpuUsage();
    console.log(
      `${repo}: ${outcome}, ${total} units, ${((Date.now() - started) / 1e3).toFixed(0)} s, CPU ${((user + system) / 1e6).toFixed(0)} s`,
    );
  }
await engine.close();
