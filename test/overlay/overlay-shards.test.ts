/** Shards of uncommitted files: each blob is parsed once, searched while a file has it, and kept for an undo. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { extract } from '../../src/extract/extract.js';
import { openRepository } from '../../src/git/repository.js';
import type { WorkTreeChange } from '../../src/git/status.js';
import type { ParserPool } from '../../src/indexer/parser-pool.js';
import { loadRules } from '../../src/languages/registry.js';
import { type OverlayState, WorkTreeOverlay } from '../../src/overlay/overlay.js';
import { hasOverlay } from '../../src/overlay/state-file.js';
import { OverlayStore } from '../../src/overlay/store.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { LexicalBuilder } from '../../src/shard/builder.js';
import { encodeLexical } from '../../src/shard/lexical-format.js';
import { LexicalShard } from '../../src/shard/lexical-shard.js';
import { lookUpUnit } from '../../src/shard/live-set.js';
import { createRepo } from '../support/repositories/repo.js';

before(async () => {
  await loadRules('typescript');
  await loadRules('javascript');
});

type Job = { oid: string; language: string; bytes: Buffer };

function parsed({ oid, language, bytes }: Job) {
  const extraction = extract(bytes, language, { degrade: 'parse-timeout' });
  const content = 'facts' in extraction ? { facts: { [language]: extraction.facts } } : { skip: extraction.skip };
  return { record: encodeSyntaxRecord(oid, content), degraded: null };
}

/** An overlay of a new work tree with these files, all of them uncommitted. */
async function opened(files: Record<string, string>, objectFormat: 'sha1' | 'sha256' = 'sha1') {
  const repo = createRepo({ objectFormat });
  repo.write(files);
  const repository = await openRepository(repo.dir);
  const directory = join(repo.state, 'profile', 'overlay-0');
  const make = () => new WorkTreeOverlay({ ...repository, workTree: repo.dir }, '', directory);
  const overlay = make();
  const jobs: string[] = [];
  const told: string[] = [];
  const changes = (paths: readonly string[]) => ({
    commit: null,
    list: paths.map((path) => ({ path, name: Buffer.from(path), isFile: true, headOid: null }) as WorkTreeChange),
  });
  const refresh = (paths: readonly string[], more: object = {}, of = overlay): Promise<OverlayState> => {
    jobs.length = 0;
    told.length = 0;
    const parse = async (job: Job) => {
      jobs.push(`${job.bytes} ${job.language}`);
      return parsed(job);
    };
    return of.refresh(changes(paths), {
      ...{ languages: {}, maxFileBytes: 1 << 20, select: () => null, committed: [], objects: {} },
      parsers: () => ({ parse }) as unknown as ParserPool,
      onFacts: ({ language }: { language: string }) => told.push(language),
      ...more,
    } as unknown as Parameters<WorkTreeOverlay['refresh']>[1]);
  };
  return { repo, repository, directory, make, overlay, refresh, jobs, told };
}

const isFound = ({ files, shards }: OverlayState) => files.every((file) => lookUpUnit(shards, file) !== null);

for (const objectFormat of ['sha1', 'sha256'] as const)
  test(`${objectFormat}: each blob is parsed once in each language, and found in the one shard of the question`, async () => {
    const text = 'let a = 1;';
    const { refresh, jobs, told, overlay, make } = await opened(
      { 'a.ts': text, 'b.ts': text, 'c.js': text, 'd.ts': 'let d = 2;', 'large.ts': 'x'.repeat(100) },
      objectFormat,
    );
    const paths = ['a.ts', 'b.ts', 'c.js', 'd.ts', 'large.ts'];
    const first = await refresh(paths, { maxFileBytes: 99 });
    assert.deepEqual([...jobs].sort(), [`${text} javascript`, `${text} typescript`, 'let d = 2; typescript']);
    assert.deepEqual([...told].sort(), ['javascript', 'typescript', 'typescript']);
    assert.deepEqual(
      [first.shards.length, isFound(first), first.files.map(({ path }) => path), first.dirty, first.known],
      [1, true, paths.slice(0, 4), 5, 4],
    );
    const [large, ...others] = first.unindexed;
    assert.deepEqual([large.path, others], ['large.ts', []]);
    assert.deepEqual([first.readUnindexed(large, 100)?.length, first.readUnindexed(large, 99)], [100, null]);
    // Nothing is parsed again, in this process or in the next one.
    assert.equal((await refresh(paths, { maxFileBytes: 99 })).key, first.key);
    assert.deepEqual(jobs, []);
    overlay.save();
    assert.ok(isFound(await refresh(paths.slice(0, 4), {}, make())));
    assert.deepEqual(jobs, []);
  });

test('a later edit adds a shard behind the earlier ones, and only shards of files that are edited now are searched', async () => {
  const { refresh, jobs, directory, overlay } = await opened({ 'a.ts': 'let a;', 'b.ts': 'let b;', 'c.ts': 'let c;' });
  const names = ({ shards }: OverlayState) => shards.map(({ name }) => name);
  const one = names(await refresh(['a.ts']));
  const both = await refresh(['a.ts', 'b.ts', 'c.ts']);
  assert.deepEqual([names(both).length, names(both)[0], jobs], [2, one[0], ['let b; typescript', 'let c; typescript']]);
  for (const [path, at] of [
    ['b.ts', 1],
    ['c.ts', 1],
    ['a.ts', 0],
  ] as const) {
    const state = await refresh([path]);
    assert.deepEqual([names(state), isFound(state), jobs], [[names(both)[at]], true, []], path);
  }
  overlay.save();
  assert.equal(hasOverlay(directory), true);
  overlay.clear();
  overlay.save();
  assert.equal(hasOverlay(directory), false);
  assert.equal((await refresh(['a.ts'])).shards.length, 1);
  assert.deepEqual(jobs, ['let a; typescript']);
});

test('a blob that a committed shard has is not parsed, unless it was too large for that shard', async () => {
  const { refresh, jobs } = await opened({ 'a.ts': 'let a;' });
  const { oid } = (await refresh(['a.ts'])).files[0];
  for (const [state, count] of [
    ['binary', 0],
    ['too-large', 1],
  ] as const) {
    const next = await opened({ 'a.ts': 'let a;' });
    const builder = new LexicalBuilder(20);
    builder.addSkipped(oid, 'typescript', state, 6);
    const committed = [new LexicalShard(encodeLexical(builder.finish()), 'committed')];
    const { shards } = await next.refresh(['a.ts'], { committed });
    assert.deepEqual([next.jobs.length, shards.length], [count, count], state);
  }
  assert.equal(jobs.length, 1);
});

test('a file that is no text has no facts, and is not looked at again', async () => {
  const { refresh, jobs, told } = await opened({ 'a.ts': 'a\0b' });
  const first = await refresh(['a.ts']);
  assert.deepEqual([jobs.length, told, isFound(first), first.shards.length], [1, [], true, 1]);
  assert.equal((await refresh(['a.ts'])).key, first.key);
  assert.deepEqual(jobs, []);
});

test('shards are not merged while a question uses them, and afterwards only what is used is left', async () => {
  const { repository, directory, make, refresh } = await opened({ 'a.ts': 'let a;' });
  const store = new OverlayStore(directory, repository.gitDir);
  const shards = Array.from({ length: 9 }, (_, i) => {
    const builder = new LexicalBuilder(20);
    builder.addSkipped(`${i}`.repeat(40), 'c', 'binary', 7);
    return store.add(encodeLexical(builder.finish()));
  });
  store.save({ files: new Map(), shards });
  const overlay = make();
  const saved = () => {
    overlay.save();
    return new OverlayStore(directory, repository.gitDir).load().shards;
  };
  const during: number[] = [];
  const parse = async (job: Job) => {
    during.push(saved().length);
    return parsed(job);
  };
  const { files } = await refresh(['a.ts'], { parsers: () => ({ parse }) }, overlay);
  assert.deepEqual(during, [9]);
  const left = saved();
  assert.equal(left.length, 1);
  assert.deepEqual([left[0].meta.units, lookUpUnit(left, files[0]) !== null], [1, true]);
});
