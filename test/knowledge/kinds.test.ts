/** Refs of knowledge: which kind each is of, and which of them stay in this clone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  KNOWLEDGE_KINDS,
  kindOfRef,
  mayHaveSummaries,
  PRIVATE_PREFIX,
  refOfSet,
  SUMMARIES_KIND,
  SUMMARY_PREFIXES,
} from '../../src/knowledge/kinds.js';
import { createRepo } from '../support/repositories/repo.js';

test('a ref is of the kind that it was made for, shared or private, and private ones are no notes of git', () => {
  for (const kind of KNOWLEDGE_KINDS) {
    const [shared, own] = [refOfSet(kind, 'v1', true), refOfSet(kind, 'v1', false)];
    assert.deepEqual([shared, own], [`refs/notes/socraticode/${kind}/v1`, `refs/socraticode/local/${kind}/v1`]);
    assert.deepEqual([kindOfRef(shared), kindOfRef(own)], [kind, kind]);
  }
});

test('six kinds are knowledge', () => {
  assert.deepEqual([...KNOWLEDGE_KINDS].sort(), ['approvals', 'evidence', 'notes', 'summaries', 'tags', 'tasks']);
});

test('refs of records, of kinds that only begin alike, and of others are no knowledge', () => {
  const refs = [
    'refs/notes/socraticode/syntax/x',
    'refs/notes/socraticode/tasksx/v1',
    'refs/notes/socraticode/',
    'refs/notes/commits',
    'refs/notes/socraticode-tasks/v1',
    'refs/heads/tasks',
    `${PRIVATE_PREFIX}x/tasks/v1`,
  ];
  for (const ref of refs) assert.equal(kindOfRef(ref), null, ref);
});

test('summaries may be there once a ref of theirs is, shared or private, packed or not', () => {
  assert.equal(SUMMARY_PREFIXES.length, 2);
  for (const isShared of [true, false]) {
    const repo = createRepo();
    repo.commit({ a: '' });
    const may = () => mayHaveSummaries({ commonDir: repo.commonDir });
    repo.git('update-ref', refOfSet('tasks', 'one', isShared), 'HEAD');
    assert.equal(may(), false);
    repo.git('update-ref', refOfSet(SUMMARIES_KIND, 'one', isShared), 'HEAD');
    assert.equal(may(), true);
    repo.git('pack-refs', '--all');
    assert.equal(may(), true);
  }
});
