// How much a repository grows by being indexed: `npm run bench -- growth DIR [--commits 500] [--files 2-10]`.
// Walks real first-parent commits that change a few files, writes the records of each as `index` does after a commit,
// and compares what the notes take, after a plain `git gc`, with the same records written at once.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const DIST = new URL('../../dist/', import.meta.url);
const load = (path) => import(new URL(path, DIST).href);

const { values, positionals } = parseArgs({
  args: process.argv.slice(process.argv[2] === 'growth' ? 3 : 2),
  allowPositionals: true,
  options: {
    commits: { type: 'string', default: '500' },
    files: { type: 'string', default: '2-10' },
  },
});
const source = resolve(positionals[0] ?? '.');
const wanted = Number(values.commits);
const [least, most] = values.files.split('-').map(Number);

const [{ Session }, { extract, loadAllRules }, { encodeUnchecked }, { languageOfContent }, { writeNotes }] =
  await Promise.all([
    load('session/session.js'),
    load('extract/extract.js'),
    load('record/syntax-codec.js'),
    load('languages/detect.js'),
    load('git/notes.js'),
  ]);

const work = mkdtempSync(join(tmpdir(), 'growth-'));
const git = (dir, ...args) =>
  execFileSync('git', ['-C', dir, ...args], {
    encoding: 'utf8',
    maxBuffer: 1 << 30,
    stdio: ['pipe', 'pipe', 'ignore'],
  }).trim();

function cloneOf(name) {
  const dir = join(work, name);
  execFileSync('git', ['clone', '-q', '--bare', '--no-local', source, dir], { stdio: 'ignore' });
  for (const ref of git(dir, 'for-each-ref', '--format=%(refname)', 'refs/notes').split('\n').filter(Boolean))
    git(dir, 'update-ref', '-d', ref);
  return dir;
}

/** The most recent run of first-parent commits, oldest first, that holds `wanted` commits of the wanted size. */
function chooseCommits(dir) {
  const log = git(dir, 'log', '--first-parent', '-m', '--format=>%H', '--name-only', '--diff-filter=AMR', 'HEAD');
  const all = log
    .split('>')
    .slice(1)
    .map((text) => text.trim().split(/\n+/))
    .map(([commit, ...paths]) => ({ commit, files: paths.length }));
  const chosen = all.filter(({ files }) => files >= least && files <= most).slice(0, wanted);
  return {
    commits: chosen.reverse(),
    skipped: all.findIndex(({ commit }) => commit === chosen[0].commit) + 1 - chosen.length,
  };
}

const encoded = new Map();

/** The records of a commit's blobs that `known` does not have yet. */
async function recordsOf(session, commit, known) {
  const { catalog, config } = await session.files(commit);
  const entries = [];
  for (const file of catalog.files) {
    if (known.has(file.oid)) continue;
    known.add(file.oid);
    const note = encoded.get(file.oid) ?? (await recordOf(session, file, config.maxFileBytes));
    encoded.set(file.oid, note);
    if (note !== null) entries.push({ target: file.oid, note });
  }
  return entries;
}

async function recordOf(session, { oid, language }, maxBytes) {
  const info = await session.objects.info(oid);
  if (info?.type !== 'blob' || info.size > maxBytes) return null;
  const { content } = await session.objects.read(oid);
  const id = language ?? languageOfContent(content);
  const found = extract(content, id);
  return encodeUnchecked(oid, 'skip' in found ? { skip: found.skip } : { facts: { [id]: found.facts } });
}

const REF = 'refs/notes/socraticode/syntax/growth';

function sizeOf(dir) {
  const usage = (...args) => Number(git(dir, 'rev-list', '--objects', '--disk-usage', ...args));
  const reachable = usage(REF);
  const tip = usage('--no-walk', REF);
  return { reachable, tip };
}

/** The same objects alone in a repository, packed as well as git can: what a server keeps, or `git gc --aggressive`. */
function repackedSize(dir) {
  const alone = join(work, 'alone');
  execFileSync('git', ['init', '-q', '--bare', alone]);
  git(alone, 'fetch', '-q', dir, `${REF}:${REF}`);
  git(alone, 'repack', '-adfq');
  const size = sizeOf(alone).reachable;
  rmSync(alone, { recursive: true });
  return size;
}

/** Everything in the object store, as the file system counts it (loose objects take whole blocks). */
function storeOf(dir) {
  const said = Object.fromEntries(
    git(dir, 'count-objects', '-v')
      .split('\n')
      .map((line) => line.split(': ')),
  );
  const garbage = readdirSync(join(dir, 'objects', 'pack')).filter((name) => name.startsWith('tmp_')).length;
  return {
    loose: Number(said.count),
    looseKiB: Number(said.size),
    packs: Number(said.packs),
    packKiB: Number(said['size-pack']),
    garbage,
  };
}

async function measure(name, batches) {
  const dir = cloneOf(name);
  const session = await Session.open({ directory: dir });
  git(dir, 'gc', '-q');
  const before = storeOf(dir);
  await writeNotes(session.repository, REF, batches[0]);
  git(dir, 'gc', '-q');
  const base = sizeOf(dir);
  const baseRepacked = repackedSize(dir);
  const baseStore = storeOf(dir);
  const times = [];
  for (const batch of batches.slice(1)) {
    const from = performance.now();
    await writeNotes(session.repository, REF, batch);
    times.push(performance.now() - from);
  }
  const ungathered = storeOf(dir);
  const from = performance.now();
  git(dir, 'gc', '-q');
  const gcSeconds = (performance.now() - from) / 1000;
  const after = sizeOf(dir);
  const afterRepacked = repackedSize(dir);
  const afterStore = storeOf(dir);
  git(dir, 'fsck', '--connectivity-only');
  session.close();
  times.sort((a, b) => a - b);
  return {
    before,
    baseStore,
    base,
    after,
    added: after.reachable - base.reachable,
    addedRepacked: afterRepacked - baseRepacked,
    baseRepacked,
    afterRepacked,
    addedLooseBeforeGc: ungathered.loose - baseStore.loose,
    addedLooseKiB: ungathered.looseKiB - baseStore.looseKiB,
    addedPacks: ungathered.packs - baseStore.packs,
    addedPackKiB: ungathered.packKiB - baseStore.packKiB,
    afterStore,
    gcSeconds,
    writeMs: { p50: times[times.length >> 1], p95: times[Math.floor(times.length * 0.95)] },
  };
}

try {
  await loadAllRules();
  const reading = cloneOf('reading');
  const { commits, skipped } = chooseCommits(reading);
  const session = await Session.open({ directory: reading });
  const known = new Set();
  const batches = [await recordsOf(session, `${commits[0].commit}^`, known)];
  for (const { commit } of commits) {
    // Commits in between that change more or fewer files were indexed by somebody else, for nothing.
    const [parent] = git(reading, 'rev-parse', `${commit}^`).split('\n');
    await recordsOf(session, parent, known);
    const batch = await recordsOf(session, commit, known);
    if (batch.length > 0) batches.push(batch);
  }
  session.close();
  const rest = batches.slice(1);
  const step = await measure('step', batches);
  const once = await measure('once', [batches[0], rest.flat()]);
  const report = {
    repository: source,
    commits: rest.length,
    skipped,
    filesPerCommit: rest.flat().length / rest.length,
    baseRecords: batches[0].length,
    records: rest.flat().length,
    recordBytes: rest.flat().reduce((sum, { note }) => sum + note.length, 0),
    step,
    once,
    ratio: step.added / once.added,
    ratioRepacked: step.addedRepacked / once.addedRepacked,
    totalRatio: step.after.reachable / once.after.reachable,
  };
  process.stdout.write(`${JSON.stringify(report, null, 1)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
