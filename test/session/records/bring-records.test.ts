/** Fetches that no user asked for: at most one request, only to a harmless remote, and never a failure of the command. */
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { log } from '../../../src/base/log.js';
import { COMPILER_KIND } from '../../../src/record/format.js';
import { SYNTAX_KIND } from '../../../src/record/syntax-codec.js';
import { VECTORS_KIND } from '../../../src/record/vector-codec.js';
import { fetchBlobs, fetchFirst, selectorsInUse, uniteFetched } from '../../../src/session/records/bring-records.js';
import { Session } from '../../../src/session/session.js';
import { enable } from '../../../src/share/pull.js';
import { cloneRepo, createRepo, type TestRepo } from '../../support/repositories/repo.js';
import {
  blobOf,
  countRequests,
  NOTES_REF,
  note,
  noted,
  remoteWith,
  SELECTOR,
  sharedOf,
  texts,
} from '../../support/repositories/share.js';

const first = async (repo: TestRepo) => fetchFirst(await sharedOf(repo), [SELECTOR]);
const unite = async (repo: TestRepo) => uniteFetched(await sharedOf(repo), [SELECTOR]);
const blobs = async (repo: TestRepo, oids: string[]) => fetchBlobs(await sharedOf(repo), oids);
const has = (repo: TestRepo, oid: string) =>
  repo.git('rev-list', '--objects', '--all', '--missing=print').includes(`?${oid}`) === false;

/** For how many minutes each request of a clone is not repeated. */
const notRepeated = (repo: TestRepo): number[] => {
  const { asked } = JSON.parse(readFileSync(join(repo.commonDir, 'socraticode', 'remotes.json'), 'utf8'));
  return Object.values(asked as Record<string, { forMs: number }>).map(({ forMs }) => forMs / 60_000);
};

/** What is told meanwhile. */
function told(t: TestContext): string[] {
  const lines: string[] = [];
  t.mock.method(log, 'info', (text: string) => lines.push(text));
  return lines;
}

/** A remote that has records of all its files. */
async function notedRemote(count: number) {
  const { remote, clone } = remoteWith(texts(count));
  const oids = Array.from({ length: count }, (_, i) => blobOf(clone, `f${i}.txt`)).sort();
  await note(clone, oids);
  clone.git('push', '-q', 'origin', NOTES_REF);
  return { remote, oids };
}

test('a fresh clone takes the notes of its remote, and asks an empty one once', async (t) => {
  const lines = told(t);
  const { remote, oids } = await notedRemote(3);
  const empty = remoteWith(texts(1)).remote;
  const requests = countRequests(t);
  const clone = cloneRepo(remote);
  const asked = requests();
  assert.equal(await first(clone), 3);
  assert.deepEqual(noted(clone), oids);
  assert.ok(requests() > asked);

  const barren = cloneRepo(empty);
  const before = requests();
  assert.equal(await first(barren), 0);
  const once = requests();
  assert.ok(once > before);
  assert.equal(await first(barren), 0);
  assert.equal(requests(), once, 'asked again within the hour');
  assert.deepEqual([notRepeated(barren), lines], [[60], ['fetched 3 records from origin']]);
});

test('without a remote, and with one whose configuration runs something, nothing is asked', async (t) => {
  const [lines, requests] = [told(t), countRequests(t)];
  assert.equal(await first(createRepo()), 0);
  assert.deepEqual(lines, []);
  const { remote } = await notedRemote(1);
  const clone = cloneRepo(remote);
  clone.git('config', 'remote.origin.uploadpack', 'touch never-run-this; git-upload-pack');
  const before = requests();
  assert.equal(await first(clone), 0);
  assert.deepEqual([requests(), noted(clone)], [before, []]);
  assert.match(lines.join(), /^origin is not contacted automatically, only by `git socraticode pull`: [^,]*uploadpack/);
});

test('a remote that cannot be reached is no failure, and is not asked again at once', async (t) => {
  const { remote } = await notedRemote(1);
  const clone = cloneRepo(remote);
  rmSync(remote.dir, { recursive: true });
  const requests = countRequests(t);
  assert.equal(await first(clone), 0);
  const once = requests();
  assert.equal(await first(clone), 0);
  assert.equal(requests(), once);
  assert.deepEqual(notRepeated(clone), [10]);
});

test('a fetch that is cancelled ends as that, and the remote is asked again next time', async () => {
  const { remote } = await notedRemote(1);
  const clone = cloneRepo(remote);
  const cancelled = fetchFirst(await sharedOf(clone), [SELECTOR], { signal: AbortSignal.abort() });
  await assert.rejects(cancelled, { code: 'CANCELLED' });
  assert.equal(await first(clone), 1);
});

test('what a plain git fetch brought is united once, without another request', async (t) => {
  const { remote, oids } = await notedRemote(2);
  const clone = cloneRepo(remote);
  await enable(await sharedOf(clone), 'origin');
  assert.equal(await unite(clone), 0);
  clone.git('fetch', '-q');
  const requests = countRequests(t);
  assert.equal(await unite(clone), 2);
  assert.deepEqual([noted(clone), requests()], [oids, 0]);
  // United already: nothing is read again, not even after the local notes are gone.
  clone.git('update-ref', '-d', NOTES_REF);
  assert.deepEqual([await unite(clone), noted(clone)], [0, []]);
});

test('notes that a fetch of a partial clone left out are brought by one request, and those that are there cost none', async (t) => {
  const { remote, oids } = await notedRemote(4);
  const clone = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  await enable(await sharedOf(clone), 'origin');
  clone.git('fetch', '-q');
  const requests = countRequests(t);
  assert.equal(await unite(clone), 4);
  assert.deepEqual([noted(clone), requests()], [oids, 1]);
  assert.equal(clone.git('notes', `--ref=${NOTES_REF}`, 'show', oids[0]).trim(), `note ${oids[0]}`);

  const full = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  await enable(await sharedOf(full), 'origin');
  full.git('fetch', '-q', '--refetch', '--no-filter');
  const before = requests();
  assert.deepEqual([await unite(full), noted(full)], [4, oids]);
  assert.equal(requests(), before, 'nothing was missing');
  // What is here is united even if the remote is one that nobody may contact by itself.
  full.git('config', 'remote.origin.uploadpack', 'touch never-run-this; git-upload-pack');
  full.git('update-ref', '-d', NOTES_REF);
  rmSync(join(full.dir, '.git', 'socraticode'), { recursive: true });
  assert.deepEqual([await unite(full), noted(full)], [4, oids]);
});

test('notes that are missing at a remote that nobody may contact stay away, and are no failure', async (t) => {
  const { remote } = await notedRemote(2);
  const clone = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  await enable(await sharedOf(clone), 'origin');
  clone.git('fetch', '-q');
  const requests = countRequests(t);
  clone.git('config', 'remote.origin.uploadpack', 'touch never-run-this; git-upload-pack');
  assert.deepEqual([await unite(clone), noted(clone), requests()], [0, [], 0]);
});

test('a single note that is missing is brought, too', async () => {
  const { remote, oids } = await notedRemote(1);
  const clone = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  await enable(await sharedOf(clone), 'origin');
  clone.git('fetch', '-q');
  assert.deepEqual([await unite(clone), noted(clone)], [1, oids]);
  assert.equal(clone.git('notes', `--ref=${NOTES_REF}`, 'show', oids[0]).trim(), `note ${oids[0]}`);
});

test('files that a partial clone lacks come in one request; a full clone asks for none', async (t) => {
  const { remote, oids } = await notedRemote(3);
  const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  const requests = countRequests(t);
  assert.equal(has(partial, oids[0]), false);
  assert.equal(await blobs(partial, []), 0);
  assert.equal(requests(), 0);
  assert.equal(await blobs(partial, oids.slice(0, 2)), 2);
  assert.equal(requests(), 1);
  assert.deepEqual(
    oids.map((oid) => has(partial, oid)),
    [true, true, false],
  );
  assert.equal(await blobs(cloneRepo(remote, '--filter=blob:none', '--no-checkout'), oids.slice(0, 1)), 1);
  // Neither a clone that is whole nor one that says so asks for blobs.
  const [full, unfiltered] = [cloneRepo(remote), cloneRepo(remote)];
  full.git('config', 'remote.origin.promisor', 'false');
  const before = requests();
  for (const clone of [full, unfiltered]) assert.equal(await blobs(clone, ['a'.repeat(40)]), 0);
  assert.equal(requests(), before);
});

test('files of a remote that is gone are asked for once, and are no failure', async () => {
  const { remote, oids } = await notedRemote(1);
  const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  rmSync(remote.dir, { recursive: true });
  assert.deepEqual([await blobs(partial, oids), await blobs(partial, oids)], [0, 0]);
  assert.deepEqual(notRepeated(partial), [10]);
});

test('more files than a request may name are left to the user, with the command', async (t) => {
  const { remote } = await notedRemote(1);
  const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  const requests = countRequests(t);
  const said: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => said.push(text) > 0);
  const many = Array.from({ length: 100_001 }, (_, i) => i.toString(16).padStart(40, '0'));
  assert.equal(await blobs(partial, many), 0);
  assert.equal(requests(), 0);
  assert.match(said.join(''), /100,001 files are not in this partial clone; git fetch --refetch --no-filter/);
});

test('vectors are pushed by who chose to share them, and fetched where they cost more to compute', async () => {
  const repo = createRepo();
  repo.commit(texts(1));
  const kinds = async (embedder: string, share: string, direction: 'push' | 'fetch') => {
    const flags = {
      'embedder.name': embedder,
      'embedder.model': embedder === 'builtin' ? undefined : 'm',
      'vectors.share': share,
    };
    const session = await Session.open({ directory: repo.dir, flags });
    const selectors = await selectorsInUse(session, direction);
    session.close();
    assert.equal(new Set(selectors.map(({ profile }) => profile)).size, selectors.length);
    return selectors.map(({ kind }) => kind);
  };
  const always = [SYNTAX_KIND, COMPILER_KIND];
  for (const [embedder, share, isPushed, isFetched] of [
    ['builtin', 'auto', false, false],
    ['builtin', 'always', true, false],
    ['builtin', 'never', false, false],
    ['ollama', 'auto', true, true],
    ['ollama', 'always', true, true],
    ['ollama', 'never', false, true],
  ] as const) {
    const expected = (has: boolean) => (has ? [...always, VECTORS_KIND] : always);
    assert.deepEqual(await kinds(embedder, share, 'push'), expected(isPushed), `push, ${embedder}, ${share}`);
    assert.deepEqual(await kinds(embedder, share, 'fetch'), expected(isFetched), `fetch, ${embedder}, ${share}`);
  }
});
