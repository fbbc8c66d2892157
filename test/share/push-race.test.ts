/** A push that somebody else was faster than: it is repeated on top of theirs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeNotes } from '../../src/git/notes.js';
import { Remote } from '../../src/git/remote.js';
import { pushNotes } from '../../src/share/push.js';
import { cloneRepo } from '../support/repositories/repo.js';
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

const VECTORS_REF = NOTES_REF.replace('syntax', 'vectors');

test('a push that somebody else was faster than fetches again, and the records of both arrive', async () => {
  const { remote, clone } = remoteWith(texts(3));
  const oids = [0, 1, 2].map((i) => blobOf(clone, `f${i}.txt`));
  const { repository } = await sharedOf(clone);
  const entry = { target: oids[0], note: Buffer.from('ours') };
  await writeNotes(repository, NOTES_REF, [entry], { about: '{"chunker":9}' });
  // Accepted with the first attempt, and not sent again.
  clone.git('update-ref', VECTORS_REF, NOTES_REF);
  const other = cloneRepo(remote);
  await note(other, oids.slice(1));
  // Asked between the fetch and the push, for a ref that the remote lacks.
  const asked: string[] = [];
  const describe = (profile: string, text: string) => {
    asked.push(profile);
    if (asked.length === 1) other.git('push', '-q', 'origin', NOTES_REF);
    return text;
  };
  const selectors = ['syntax', 'vectors'].map((kind) => ({ ...SELECTOR, kind }));
  const pushed = await pushNotes(await sharedOf(clone), 'origin', selectors, { describe });
  assert.deepEqual(asked, [SELECTOR.profile, SELECTOR.profile]);
  assert.deepEqual(pushed, {
    refs: [
      { ref: VECTORS_REF, records: 1 },
      { ref: NOTES_REF, records: 1 },
    ],
    ...{ sent: 2, bytes: 8, withheld: 0, unseen: 0, received: 2, attempts: 2 },
  });
  assert.deepEqual([noted(remote), noted(remote, VECTORS_REF)], [oids.sort(), [entry.target]]);
});

test('what each attempt fetched counts as received, not what the last one did', async (t) => {
  const { remote, clone } = remoteWith(texts(4));
  const [own, ...rest] = [0, 1, 2, 3].map((i) => blobOf(clone, `f${i}.txt`));
  const shared = await sharedOf(clone);
  await writeNotes(shared.repository, NOTES_REF, [{ target: own, note: Buffer.from('ours') }]);
  const other = cloneRepo(remote);
  const { push } = Remote.prototype;
  const batches = [rest.slice(0, 2), rest.slice(2)];
  t.mock.method(Remote.prototype, 'push', async function (this: Remote, ...args: Parameters<typeof push>) {
    const batch = batches.shift();
    if (batch !== undefined) {
      await note(other, batch);
      other.git('push', '-q', 'origin', NOTES_REF);
    }
    return push.apply(this, args);
  });
  const { attempts, received, sent } = await pushNotes(shared, 'origin', [SELECTOR]);
  assert.deepEqual({ attempts, received, sent }, { attempts: 3, received: 3, sent: 1 });
  assert.deepEqual(noted(remote), [own, ...rest].sort());
});

test('a push of nothing asks nobody, and counts nothing', async () => {
  const { clone } = remoteWith(texts(1));
  clone.git('remote', 'set-url', 'origin', 'file:///nowhere');
  assert.deepEqual(await pushNotes(await sharedOf(clone), 'origin', [SELECTOR]), {
    refs: [],
    ...{ sent: 0, bytes: 0, withheld: 0, unseen: 0, received: 0, attempts: 0 },
  });
});
