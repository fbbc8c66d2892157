/** Removal of records, here and on a remote: it also forgets which of the remote's commits are united. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { uniteFetched } from '../../src/share/first-fetch.js';
import { pushNotes } from '../../src/share/push.js';
import { findRemote, removeRemote } from '../../src/share/remote-maintenance.js';
import { trackingRefspec } from '../../src/share/remotes.js';
import { findRemovable, removeAll } from '../../src/share/remove.js';
import {
  blobOf,
  NOTES_REF,
  note,
  noted,
  remoteWith,
  SELECTOR,
  sharedOf,
  texts,
} from '../support/repositories/share.js';

/** A clone that has pushed a record, and remembers that the remote's commit is united. */
async function pushed() {
  const { remote, clone } = remoteWith(texts(1));
  const record = blobOf(clone, 'f0.txt');
  await note(clone, [record]);
  const shared = await sharedOf(clone);
  await pushNotes(shared, 'origin', [SELECTOR]);
  const fetchAndUnite = async () => {
    clone.git('fetch', '-q', 'origin', trackingRefspec('origin'));
    return uniteFetched(shared, [SELECTOR]);
  };
  assert.equal(await fetchAndUnite(), 0);
  return { remote, clone, shared, record, fetchAndUnite };
}

test('records of a profile that was removed here come back with the next fetch', async () => {
  const { clone, shared, record, fetchAndUnite } = await pushed();
  await removeAll(shared.repository, await findRemovable(shared.repository, { profile: SELECTOR.profile ?? '' }));
  assert.equal(clone.git('for-each-ref', 'refs/notes'), '');
  assert.equal(await fetchAndUnite(), 1);
  assert.deepEqual(noted(clone), [record]);
});

test('a commit that was removed from the remote and pushed again is united again', async () => {
  const { remote, clone, shared, record, fetchAndUnite } = await pushed();
  const commit = remote.git('rev-parse', NOTES_REF);
  await removeRemote(shared, 'origin', await findRemote(shared, 'origin'));
  clone.git('update-ref', '-d', NOTES_REF);
  remote.git('update-ref', NOTES_REF, commit);
  assert.equal(await fetchAndUnite(), 1);
  assert.deepEqual(noted(clone), [record]);
});
