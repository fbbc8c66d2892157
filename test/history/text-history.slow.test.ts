/** Search for moved code in the commits where it appeared or disappeared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CatFileReader } from '../../src/git/objects.js';
import { openRepository } from '../../src/git/repository.js';
import { type BlobSource, TracedText } from '../../src/history/file-versions.js';
import { MAX_COMMIT_CHANGES, MoveFinder } from '../../src/history/text-history.js';
import type { HistoryScope, Lineage, TraceEvent, Version } from '../../src/history/trace.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const AUTHOR = 'committer A <a@example.com> 1700000000 +0000';

/** Commits `count` files below `old/`, then moves them all to `new/`. */
function moveAll(repo: TestRepo, count: number): void {
  const files = Array.from({ length: count }, (_, i) => {
    const text = `text of file ${i}`;
    return `M 100644 inline old/${i}.txt\ndata ${text.length}\n${text}`;
  });
  const stream = [
    ...['commit refs/heads/main', AUTHOR, 'data 0', ''],
    ...files,
    ...['commit refs/heads/main', AUTHOR, 'data 0', '', 'R old new', ''],
  ];
  repo.gitInput(stream.join('\n'), 'fast-import', '--quiet', '--force');
}

for (const [count, what] of [
  [3, 'a small commit'],
  [MAX_COMMIT_CHANGES + 1, 'a commit with too many changes to search'],
] as const) {
  test(`a file that git sees as renamed is followed through ${what}`, async () => {
    const repo = createRepo();
    moveAll(repo, count);
    const { git } = await openRepository(repo.dir);
    const objects = new CatFileReader(git);
    const source: BlobSource = {
      unreadable: new Set(),
      bytes: async (oid) => (await objects.read(oid))?.content ?? null,
      facts: async () => null,
    };
    const scope = { git, source, accepts: () => true } as unknown as HistoryScope;
    const traced = new TracedText(source, Buffer.from('text of file 1'), 'text');
    const [path, oid] = ['new/1.txt', repo.git('rev-parse', 'main:new/1.txt')];
    const [definition] = await traced.at({ oid, path });
    const after: Version = { oid, path, definition };
    const { key } = traced;
    const event: TraceEvent = {
      type: 'appeared',
      commit: repo.git('rev-parse', 'main'),
      path,
      key,
      before: null,
      after,
    };
    const lineage: Lineage = { places: [{ path, key }], events: [event], present: [after] };
    const found = await new MoveFinder(scope, objects).pathsBeyond(lineage, traced, new Set([path]));
    objects.close();
    assert.deepEqual(found, ['old/1.txt']);
  });
}
