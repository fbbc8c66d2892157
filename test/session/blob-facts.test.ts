/** Facts of blobs: which are parsed, which records are kept, what is counted, and the symbol around a line. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BlobFacts } from '../../src/extract/facts.js';
import { TracedName } from '../../src/history/file-versions.js';
import { BlobFactsSource, openFacts, symbolAt, withBytes } from '../../src/session/blob-facts.js';
import { indexRef } from '../../src/session/indexing/index-operation.js';
import { opened } from '../support/in-process/asker.js';
import '../support/in-process/kept-parsers.js';
import { createRepo } from '../support/repositories/repo.js';
import { blobOf } from '../support/repositories/share.js';

const LIMITS = { languages: {}, maxFileBytes: 2_000 };

const code = (name: string) => `export function ${name}() {\n  return 1;\n}\n`;

test('a blob is parsed once: its record serves the next source, and what has one already is read', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': code('a') });
  const session = await opened(t, repo);
  await indexRef(session);
  repo.commit({ 'b.ts': code('b') });
  const read = async () => {
    const source = new BlobFactsSource(session, LIMITS);
    const names: string[] = [];
    for (const path of ['a.ts', 'b.ts', 'b.ts'])
      for (const { name } of (await source.facts({ oid: blobOf(repo, path), path }))?.symbols ?? []) names.push(name);
    await source.close();
    return [names.join(' '), source.parsed];
  };
  const before = repo.notes().size;
  assert.deepEqual(await read(), ['a b b', 1]);
  assert.equal(repo.notes().size, before + 1);
  assert.deepEqual(await read(), ['a b b', 0]);
});

test('out of time, versions with a record are read and others are late, from which nothing may be concluded', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': code('a') });
  const session = await opened(t, repo);
  await indexRef(session);
  repo.commit({ 'b.ts': code('b') });
  const [a, b] = ['a.ts', 'b.ts'].map((path) => ({ oid: blobOf(repo, path), path }));
  const source = new BlobFactsSource(session, { ...LIMITS, parseMs: -1 });
  const seen: string[] = [];
  await source.prefetch([a, b], undefined, ({ path }) => seen.push(path));
  assert.deepEqual([seen, [...source.late], [...source.unreadable]], [['a.ts'], [b.oid], [b.oid]]);
  assert.equal((await source.facts(a))?.symbols.length, 1);
  const name = new TracedName(source, 'b');
  assert.deepEqual(await name.at(b), []);
  // A version with the same line is not taken to define as little as the late one seems to.
  const later = { oid: repo.blob(`${code('b')}// more\n`), path: 'b.ts' };
  assert.deepEqual(await name.at(later, b), []);
  assert.ok(source.unreadable.has(later.oid));
  await source.close();
});

test('no record is kept of a blob that is not committed, unless it is named as one that is', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': code('a'), 'b.ts': code('b') });
  const session = await opened(t, repo);
  await indexRef(session);
  const [kept, edited] = [code('kept'), code('edited')].map((text) => repo.blob(text));
  const before = repo.notes().size;
  const options = { ...LIMITS, objects: session.objects, kept: new Set([kept]) };
  const source = new BlobFactsSource(session, options);
  await source.prefetch([kept, edited].map((oid) => ({ oid, path: 'x.ts' })));
  assert.equal(source.parsed, 2);
  await source.close();
  assert.deepEqual([repo.notes().has(kept), repo.notes().has(edited), repo.notes().size], [true, false, before + 1]);
});

test('of a snapshot with uncommitted files no record is written, of a committed one they are', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': code('a') });
  const session = await opened(t, repo);
  const origin = await session.origin();
  for (const [overlay, records] of [
    [1, 0],
    [0, 1],
  ]) {
    const source = await openFacts(session, { origin, objects: session.objects, overlay }, {});
    assert.notEqual(await source.facts({ oid: blobOf(repo, 'a.ts'), path: 'a.ts' }), null);
    await source.close();
    assert.equal(Object.keys(repo.notesRefs()).length, records);
  }
});

test('versions of one blob are given one after the other with its bytes, in each language that paths name', async (t) => {
  const repo = createRepo();
  const text = 'def total(a):\n    return a\n';
  repo.commit({ 'a.py': text });
  const oid = blobOf(repo, 'a.py');
  const source = new BlobFactsSource(await opened(t, repo), LIMITS);
  t.after(() => source.close());
  const seen: string[] = [];
  const versions = ['a.py', 'a.ts', 'b.py'].map((path) => ({ oid, path }));
  await source.prefetch(versions, undefined, ({ path }, facts, bytes) =>
    seen.push(`${path} ${facts?.symbols.map(({ name }) => name)} ${bytes?.toString('utf8') === text}`),
  );
  assert.deepEqual(seen, ['a.py total true', 'b.py total true', 'a.ts  true']);
});

test('a blob that is missing or cannot be read has no facts and is told; a large one has no bytes and is no fault', async (t) => {
  const repo = createRepo();
  repo.commit({ 'large.ts': `// ${'x'.repeat(3_000)}\n`, 'a.ts': code('a') });
  const [large, here, away] = [blobOf(repo, 'large.ts'), blobOf(repo, 'a.ts'), '1'.repeat(40)];
  const source = new BlobFactsSource(await opened(t, repo), { ...LIMITS, missing: new Set([here]) });
  t.after(() => source.close());
  assert.equal(await source.bytes(large), null);
  assert.deepEqual([...source.unreadable], []);
  assert.equal(await source.bytes(away), null);
  // Git is not asked for what is known to be missing.
  assert.equal(await source.facts({ oid: here, path: 'a.ts' }), null);
  assert.deepEqual([...source.unreadable].sort(), [away, here].sort());
  assert.equal(await source.bytes(here), null);
  assert.equal(await source.comments({ oid: away, path: 'a.ts' }), null);
});

test('comments are told from code by the language of the path', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': '// one\nconst a = 1; // two\n' });
  const source = new BlobFactsSource(await opened(t, repo), LIMITS);
  t.after(() => source.close());
  const found = await source.comments({ oid: blobOf(repo, 'a.ts'), path: 'a.ts' });
  assert.equal(found?.length, 2);
});

test('the symbol around a line is the innermost, with the names around it; none at the top level', () => {
  const symbol = (name: string, startLine: number, endLine: number, container = -1) => ({
    name,
    startLine,
    endLine,
    container,
  });
  const symbols = [symbol('Cart', 2, 9), symbol('total', 3, 5, 0), symbol('add', 6, 8, 0), symbol('run', 11, 11)];
  const at = symbolAt({ symbols } as unknown as BlobFacts);
  assert.deepEqual([1, 2, 3, 5, 6, 9, 10, 11, 12].map(at), [
    null,
    'Cart',
    'Cart.total',
    'Cart.total',
    'Cart.add',
    'Cart',
    null,
    'run',
    null,
  ]);
  assert.equal(symbolAt(null)(3), null);
});

test('texts of an editor stand in for blobs of their name, and all others are read as ever', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'committed\n' });
  const session = await opened(t, repo);
  const [own, oid] = ['2'.repeat(40), blobOf(repo, 'a.ts')];
  const objects = withBytes(session.objects, new Map([[own, Buffer.from('edited\n')]]));
  assert.equal((await objects.read(own))?.content.toString('utf8'), 'edited\n');
  assert.deepEqual(await objects.info(own), { oid: own, type: 'blob', size: 7 });
  assert.equal((await objects.read(oid))?.content.toString('utf8'), 'committed\n');
  assert.equal((await objects.info(oid))?.size, 10);
});
