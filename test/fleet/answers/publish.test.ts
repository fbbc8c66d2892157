/** What `publish --prune` deletes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { prune } from '../../../fleet/src/answers/publish.js';
import { keptName } from '../../../fleet/src/keys.js';

test('refs that are gone are deleted with their kept commits, and kept commits of other refs stay', async () => {
  const commit = 'c'.repeat(40);
  const refs = ['main', 'gone'].flatMap((name) => [name, keptName(name, commit)]).map((ref) => ({ ref, commit }));
  const removed: string[] = [];
  const publisher = { remove: async (name: string) => removed.push(name) > 0 };
  const work = { target: { refs: async () => refs }, known: new Set(['main']), profile: { id: 'p' } };
  const pruned = async (dryRun: boolean) => {
    const args = [publisher, { ...work, repo: 'shop', family: 'shop', dryRun }] as unknown;
    return (await prune(...(args as Parameters<typeof prune>))).map(({ ref, outcome }) => `${outcome} ${ref}`);
  };
  const gone = ['gone', keptName('gone', commit)];
  assert.deepEqual([await pruned(true), removed], [gone.map((name) => `planned ${name}`), []]);
  assert.deepEqual([await pruned(false), removed], [gone.map((name) => `deleted ${name}`), gone]);
});
