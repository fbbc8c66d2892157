/** The history of notes: the description of a profile is the line that begins like one, wherever else those words stand. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAbout } from '../../src/git/notes-history.js';
import { openRepository } from '../../src/git/repository.js';
import { createRepo } from '../support/repositories/repo.js';

async function about(...messages: string[]): Promise<string | null> {
  const repo = createRepo();
  for (const message of messages) repo.git('commit', '-q', '--allow-empty', '-m', message);
  return readAbout((await openRepository(repo.dir)).git, 'HEAD');
}

test('the newest description of a history is read', async () => {
  assert.equal(
    await about('first\n\nprofile: {"chunker":1}', 'second\n\nprofile: {"chunker":2}', 'third'),
    '{"chunker":2}',
  );
  assert.equal(await about('nothing', 'at all'), null);
});

test('a line that only mentions a profile is none, before or after the description', async () => {
  const message = 'notes\n\nof the profile: {"not":1}\nprofile: {"chunker":3}\nprofile: {"second":1}';
  assert.equal(await about(message), '{"chunker":3}');
  assert.equal(await about('of the profile: {"not":1}'), null);
});

test('a description of more than 16 KiB is not read', async () => {
  assert.equal(await about(`x\n\nprofile: {"a":"${'b'.repeat(17_000)}"}`), null);
});
