/** Addresses of remotes, and the forges that they name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { forgeOf } from '../../src/git/forge.js';

const KNOWN: readonly [remote: string, base: string, kind: string][] = [
  ['git@github.com:owner/repository.git', 'https://github.com/owner/repository', 'github'],
  ['https://user:secret@github.com/owner/repository.git', 'https://github.com/owner/repository', 'github'],
  ['ssh://git@gitlab.example.org:2222/group/sub/name.git', 'https://gitlab.example.org/group/sub/name', 'gitlab'],
  ['https://bitbucket.org/owner/name/', 'https://bitbucket.org/owner/name', 'bitbucket'],
  ['https://codeberg.org/owner/name', 'https://codeberg.org/owner/name', 'gitea'],
];

test('a remote on a forge gives its https address without user and password', () => {
  for (const [remote, base, kind] of KNOWN) assert.deepEqual(forgeOf(remote), { base, kind }, remote);
});

test('a remote elsewhere, or one that is no plain address, gives none', () => {
  const others = [
    ...[
      '/srv/git/name.git',
      '../name',
      'C:\\git\\name',
      'file:///srv/git/name',
      'javascript://github.com/%0aalert(1)//x',
    ],
    ...[
      'https://example.com/owner/name',
      'https://github.com.evil.example',
      'https://github.com/owner',
      'github:owner/name',
    ],
    ...['https://github.com/owner/na"me><script>', 'git@github.com:owner/na me', 'ext::sh -c x', ''],
  ];
  for (const remote of others) assert.equal(forgeOf(remote), null, remote);
});
