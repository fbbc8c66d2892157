/** Names of published branches, tags and repositories. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nameOfAddress, publishRefs } from '../../../fleet/src/publish/refs.js';
import { Session } from '../../../src/session/session.js';
import { createRepo } from '../../support/repositories/repo.js';

const SOURCE = (name: string) => `export function ${name}(basket: string[]) {\n  return basket.length;\n}\n`;

test('branches are published under their names, those of a remote without its name', async () => {
  const repo = createRepo();
  repo.write({ 'a.ts': SOURCE('a') });
  repo.commit();
  repo.git('branch', 'release/1');
  repo.git('update-ref', 'refs/remotes/origin/release/2', 'HEAD');
  repo.git('remote', 'add', 'origin', 'https://git.example.com/acme/shop.git');
  const session = await Session.open({ directory: repo.dir });
  const names = async (choice: Parameters<typeof publishRefs>[1]) =>
    (await publishRefs(session, choice)).chosen.map(({ ref, name }) => `${ref} ${name}`).sort();
  assert.deepEqual(await names({ branches: ['release/*'] }), ['origin/release/2 release/2', 'release/1 release/1']);
  assert.deepEqual(await names({ ref: ['release/1'] }), ['release/1 release/1']);
  assert.deepEqual(await names({ ref: ['HEAD~0'], as: 'main' }), ['HEAD~0 main']);
  await assert.rejects(publishRefs(session, { ref: ['HEAD~0'] }), { code: 'BAD_ARGUMENT' });
  await assert.rejects(publishRefs(session, { ref: ['nowhere'] }), { code: 'UNKNOWN_REF' });
  repo.git('checkout', '-q', '--detach');
  await assert.rejects(publishRefs(session, {}), { code: 'BAD_ARGUMENT' });
  session.close();
});

test('every branch and tag that is here is known, and so is the name under which a commit is published', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': SOURCE('a') });
  repo.git('branch', 'release/1');
  repo.git('tag', 'v1');
  repo.git('tag', '-a', '-m', 'second', 'v2');
  repo.git('update-ref', 'refs/remotes/origin/release/2', 'HEAD');
  repo.git('remote', 'add', 'origin', 'https://git.example.com/acme/shop.git');
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const known = async (choice: Parameters<typeof publishRefs>[1]) =>
    [...(await publishRefs(session, choice)).known].sort();
  const here = ['main', 'release/1', 'release/2', 'v1', 'v2'];
  assert.deepEqual(await known({}), here);
  assert.deepEqual(await known({ ref: ['HEAD~0'], as: 'nightly' }), [...here.slice(0, 1), 'nightly', ...here.slice(1)]);
});

test('a repository is named after the address of its remote, without user and password', () => {
  const names = ['https://me:secret@Git.Example.com:8443/acme/shop.git', 'git@git.example.com:acme/shop.git'];
  for (const address of names) assert.equal(nameOfAddress(address), 'git.example.com/acme/shop');
  for (const address of ['/srv/git/shop.git', 'file:///srv/shop', '../shop', ''])
    assert.equal(nameOfAddress(address), null);
});
