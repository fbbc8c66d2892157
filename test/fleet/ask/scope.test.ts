/** Which views a question is about: repositories that the reader may see, at the ref that was asked for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scopeOf, viewAt } from '../../../fleet/src/ask/scope.js';
import type { LiveView, ViewSet } from '../../../fleet/src/ask/views.js';

type Named = Pick<LiveView, 'repo' | 'ref'> & Partial<LiveView>;
const view = (about: Named): LiveView =>
  ({ commit: 'a'.repeat(40), publishedAt: 1, isDefault: false, covered: 1, total: 1, ...about }) as LiveView;

function setOf(views: readonly Named[], damaged: readonly string[] = []): ViewSet {
  const repositories = new Map<string, LiveView[]>();
  for (const each of views) repositories.set(each.repo, [...(repositories.get(each.repo) ?? []), view(each)]);
  return { repositories, damaged: new Set(damaged) };
}

const SET = setOf(
  [
    { repo: 'acme/bank', ref: 'main', isDefault: true },
    { repo: 'acme/bank', ref: 'dev' },
    { repo: 'acme/shop', ref: 'main', isDefault: true },
    { repo: 'other/shop', ref: 'refs/heads/dev', isDefault: true },
  ],
  ['acme/lost', 'acme/shop', 'other/lost'],
);
const may = (...repos: string[]) => ({ mayRead: (repo: string) => repos.length === 0 || repos.includes(repo) });

test('a question is about the repositories that match and may be read, each at its ref', () => {
  const shown = (...[reader, request]: [Parameters<typeof scopeOf>[1], Parameters<typeof scopeOf>[2]]) => {
    const { views, isAll, withoutRef, damaged } = scopeOf(SET, reader, request);
    return [views.map(({ repo, ref }) => `${repo}@${ref}`).join(' '), isAll, withoutRef, damaged];
  };
  const all = 'acme/bank@main acme/shop@main other/shop@refs/heads/dev';
  assert.deepEqual(shown(may(), {}), [all, true, 0, 2]);
  assert.deepEqual(shown(may(), { repo: [] }), [all, true, 0, 2]);
  assert.deepEqual(shown(may(), { repo: ['acme/*'] }), ['acme/bank@main acme/shop@main', false, 0, 1]);
  assert.deepEqual(shown(may(), { repo: ['acme/*', '!acme/bank'] }), ['acme/shop@main', false, 0, 1]);
  assert.deepEqual(shown(may('acme/bank'), {}), ['acme/bank@main', false, 0, 0]);
  assert.deepEqual(shown(may(), { ref: 'dev' }), ['acme/bank@dev other/shop@refs/heads/dev', false, 1, 2]);
  assert.deepEqual(shown(may(), { ref: 'main', repo: ['acme/*'] }), ['acme/bank@main acme/shop@main', false, 0, 1]);
  assert.deepEqual(shown(may(), { repo: ['acme/lost'] }), ['', false, 0, 1], 'a damaged one is told');
  assert.deepEqual(shown({ mayRead: () => false }, {}), ['', false, 0, 0]);
  assert.deepEqual(shown({ mayRead: () => false }, { ref: 'gone' }), ['', false, 0, 0]);
});

test('a repository that may not be read is refused as one that does not exist', () => {
  const code = (reader: Parameters<typeof scopeOf>[1], request: Parameters<typeof scopeOf>[2]) => {
    try {
      scopeOf(SET, reader, request);
      return 'answered';
    } catch (error) {
      return (error as { code: string }).code;
    }
  };
  assert.equal(code(may(), { repo: ['acme/none'] }), 'BAD_ARGUMENT');
  assert.equal(code(may('acme/bank'), { repo: ['acme/shop'] }), 'BAD_ARGUMENT');
  assert.equal(code(may('acme/bank'), { repo: ['acme/lost'] }), 'BAD_ARGUMENT');
  assert.equal(code(may(), { ref: 'gone' }), 'UNKNOWN_REF');
  assert.equal(code(may('acme/shop'), { ref: 'dev' }), 'UNKNOWN_REF');
});

test('a ref is meant by its name, its short or full name, or seven digits of a commit', () => {
  const commit = (digits: string) => digits.padEnd(40, '0');
  const views = [
    view({ repo: 'r', ref: 'main', commit: commit('abcdef12'), publishedAt: 5 }),
    view({ repo: 'r', ref: 'refs/heads/dev', commit: commit('abcdef13'), publishedAt: 7 }),
    view({ repo: 'r', ref: 'refs/tags/v1', commit: commit('abcdef1'), publishedAt: 6 }),
    view({ repo: 'r', ref: `main@{${'1'.repeat(12)}}`, commit: commit('1111111'), publishedAt: 9 }),
    view({ repo: 'r', ref: 'deadbee', commit: commit('2'), publishedAt: 1 }),
  ];
  const at = (ref: string | undefined, of = views) => viewAt(of, ref)?.ref ?? null;
  assert.deepEqual(
    ['main', 'refs/heads/main', 'dev', 'refs/heads/dev', 'v1', 'refs/tags/v1', 'refs/remotes/main', 'none', ''].map(
      (ref) => at(ref),
    ),
    ['main', 'main', 'refs/heads/dev', 'refs/heads/dev', 'refs/tags/v1', 'refs/tags/v1', 'main', null, null],
  );
  assert.deepEqual(
    ['abcdef1', 'abcdef12', 'abcdef', 'ABCDEF1', 'abcdef1x', '1111111', 'deadbee', '3333333'].map((ref) => at(ref)),
    ['refs/heads/dev', 'main', null, null, null, views[3].ref, 'deadbee', null],
  );
  // Without a ref: the default branch, else the newest branch; a kept commit only if there is nothing else.
  assert.equal(at(undefined), 'refs/heads/dev');
  assert.equal(at(undefined, [...views, view({ repo: 'r', ref: 'old', isDefault: true })]), 'old');
  assert.equal(at(undefined, [views[3]]), views[3].ref);
  assert.equal(at(undefined, [{ ...views[3], isDefault: true }, views[0]]), 'main');
  assert.equal(at(undefined, []), null);
  const equal = [view({ repo: 'r', ref: 'a', publishedAt: 3 }), view({ repo: 'r', ref: 'b', publishedAt: 3 })];
  assert.equal(at(undefined, equal), 'a');
});
