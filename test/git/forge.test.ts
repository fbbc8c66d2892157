/** Addresses of remotes, and the forges that they name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorAddress, type Forge, forgeOf, placeAddress } from '../../src/git/forge.js';

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

test('the software of a host is guessed by a whole label of its name, in any case', () => {
  const kind = (host: string) => forgeOf(`https://${host}/owner/name`)?.kind ?? null;
  for (const [host, expected] of [
    ['GitHub.com', 'github'],
    ['github.example.org', 'github'],
    ['gitlab.com', 'gitlab'],
    ['code.bitbucket.example', 'bitbucket'],
    ['gitea.example.org', 'gitea'],
    ['codeberg.org', 'gitea'],
    ['forgejo.example.org', 'gitea'],
    ['mygithub.com', null],
    ['gitlabs.example', null],
    ['github', null],
  ] as const)
    assert.equal(kind(host), expected, host);
});

test('slashes and endings around a path are left out, and a path has two parts or more of plain signs', () => {
  const base = (remote: string) => forgeOf(remote)?.base ?? null;
  for (const [remote, expected] of [
    ['git@github.com:/owner/name.git', 'https://github.com/owner/name'],
    ['github.com:owner/name.git', 'https://github.com/owner/name'],
    ['https://github.com//owner/name.git//', 'https://github.com/owner/name'],
    ['http://github.com/owner/name.js', 'https://github.com/owner/name.js'],
    ['git://github.com/owner/~name', 'https://github.com/owner/~name'],
    ['https://github.com/o.w-n_er/n.git.git', 'https://github.com/o.w-n_er/n.git'],
    ['ftp://github.com/owner/name', null],
    ['https://github.com/owner//name', null],
    ['https://github.com/owner/', null],
    ['https://github.com/owner/name?tab=x', 'https://github.com/owner/name'],
  ])
    assert.equal(base(`${remote}`), expected, `${remote}`);
});

test('each forge has its own address of lines, and each editor, where it has one', () => {
  const address = (kind: Forge['kind']) => placeAddress({ base: 'https://x.y/o/n', kind }, 'c0ffee');
  assert.deepEqual((['github', 'gitlab', 'bitbucket', 'gitea'] as const).map(address), [
    'https://x.y/o/n/blob/c0ffee/{path}#L{start}-L{end}',
    'https://x.y/o/n/-/blob/c0ffee/{path}#L{start}-{end}',
    'https://x.y/o/n/src/c0ffee/{path}#lines-{start}:{end}',
    'https://x.y/o/n/src/commit/c0ffee/{path}#L{start}-L{end}',
  ]);
  for (const editor of ['vscode', 'vscodium', 'cursor', 'windsurf', 'zed'])
    assert.equal(editorAddress(editor), `${editor}://file{root}{path}:{start}`);
  assert.equal(editorAddress('idea'), 'idea://open?file={root}{path}&line={start}');
  for (const other of ['none', '', 'toString', '__proto__']) assert.equal(editorAddress(other), null, other);
});
