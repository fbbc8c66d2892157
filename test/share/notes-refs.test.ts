/** Which refs hold notes of this program: local, of a remote, and private ones, which are listed where they are asked for alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTES_PREFIX } from '../../src/git/repository.js';
import { PRIVATE_PREFIX } from '../../src/knowledge/kinds.js';
import { isIndex, listNotesRefs } from '../../src/share/notes-refs.js';
import { createRepo } from '../support/repositories/repo.js';
import { sharedOf } from '../support/repositories/share.js';

test('refs of other shapes, symbolic ones and private ones are listed where they are asked for alone', async () => {
  const repo = createRepo();
  const commit = repo.commit({ 'a.txt': 'a\n' });
  const tracking = 'refs/notes/remotes/team/origin/socraticode';
  for (const ref of [
    `${NOTES_PREFIX}/syntax/p1`,
    `${NOTES_PREFIX}/notes/main`,
    `${NOTES_PREFIX}/too/deep/here`,
    `${PRIVATE_PREFIX}/notes/main`,
    `${tracking}/syntax/p1`,
    `${tracking}/notes/main`,
    'refs/notes/remotes/origin/commits',
  ])
    repo.git('update-ref', ref, commit);
  // A ref may point at anything.
  repo.git('update-ref', `${NOTES_PREFIX}/syntax/blob`, repo.git('rev-parse', 'HEAD:a.txt'));
  repo.git('symbolic-ref', `${NOTES_PREFIX}/syntax/link`, `${NOTES_PREFIX}/syntax/p1`);
  const { repository } = await sharedOf(repo);
  const listed = async (options = {}) =>
    (await listNotesRefs(repository, options)).map(({ ref, kind, profile, remote }) => {
      assert.ok(ref.endsWith(`/${kind}/${profile}`));
      return remote === null ? ref : `${remote}: ${kind}/${profile}`;
    });
  const usual = [
    `${NOTES_PREFIX}/notes/main`,
    `${NOTES_PREFIX}/syntax/p1`,
    'team/origin: notes/main',
    'team/origin: syntax/p1',
  ].sort();
  assert.deepEqual((await listed()).sort(), usual);
  assert.deepEqual((await listed({ own: true })).sort(), [...usual, `${PRIVATE_PREFIX}/notes/main`].sort());
  assert.deepEqual((await listed({ symbolic: true })).sort(), [...usual, `${NOTES_PREFIX}/syntax/link`].sort());
  const knowledge = (await listNotesRefs(repository)).filter(({ isKnowledge }) => isKnowledge);
  assert.deepEqual(new Set(knowledge.map(({ kind }) => kind)), new Set(['notes']));
});

test('three kinds are of the index, and no other', () => {
  const kinds = ['syntax', 'vectors', 'compiler', 'notes', 'Syntax', '', 'syntax/x'].map((kind) => ({ kind }));
  assert.deepEqual(
    kinds.filter(isIndex).map(({ kind }) => kind),
    ['syntax', 'vectors', 'compiler'],
  );
});
