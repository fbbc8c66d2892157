/** Contacts as `.mailmap` has them, and nothing where git cannot tell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mappedContacts } from '../../src/git/mailmap.js';
import { Git } from '../../src/git/process.js';
import { createRepo } from '../support/repositories/repo.js';

const ADA = { author: 'ada', email: 'old@example.com' };
const BOB = { author: 'Bob', email: 'bob@example.com' };

test('contacts that the mailmap changes are told; those that have no form do not spoil the others', async () => {
  const repo = createRepo();
  repo.write({ '.mailmap': 'Ada <ada@example.com> <old@example.com>\n' });
  const changed = [{ was: ADA, now: { author: 'Ada', email: 'ada@example.com' } }];
  const odd = [
    { author: 'a\nb', email: 'x@example.com' },
    { author: 'no address', email: ' ' },
  ];
  assert.deepEqual(await mappedContacts(new Git(repo.dir), [BOB, ...odd, ADA]), changed);
  assert.deepEqual(await mappedContacts(new Git(repo.dir), odd), []);
});

test('who cancels is told so, and gets no contacts', async () => {
  const asked = mappedContacts(new Git(createRepo().dir), [ADA], AbortSignal.abort());
  await assert.rejects(asked, { code: 'CANCELLED' });
});
