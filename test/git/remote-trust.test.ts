/** Which settings and addresses allow contact with a remote: nobody typed a command in the first case, somebody did in the second. */
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { automaticFault, requireNoCommands } from '../../src/git/remote-trust.js';
import type { ConfigEntry, Repository } from '../../src/git/repository.js';
import { makeDirectory } from '../support/repositories/repo.js';

const SERVER = 'https://example.com/a.git';
const entry = (key: string, value = 'x', scope: ConfigEntry['scope'] = 'local'): ConfigEntry => ({
  ...{ key, value, scope, origin: '' },
});
const url = (value: string) => entry('remote.origin.url', value);

function repositoryAt(workTree: string): Repository {
  const gitDir = join(workTree, '.git');
  mkdirSync(gitDir, { recursive: true });
  return { workTree, gitDir, commonDir: gitDir } as Repository;
}
const HERE = repositoryAt(makeDirectory('here'));

const fault = (...config: ConfigEntry[]) => automaticFault(HERE, config, 'origin');
const addressFault = (address: string) => fault(url(address));

/** The hint of the refusal of a typed fetch; null where it is allowed. */
function refusal(...config: ConfigEntry[]): string | null {
  try {
    requireNoCommands(HERE, config, 'origin');
    return null;
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint: string };
    assert.equal(code, 'UNSAFE_REPOSITORY');
    return `${message} | ${hint}`;
  }
}

test('a setting of the repository itself that is not known to be harmless forbids an automatic fetch, one of the user does not', () => {
  for (const scope of ['local', 'worktree'] as const) {
    assert.equal(fault(url(SERVER), entry('core.sshcommand', 'evil', scope)), 'core.sshcommand');
    assert.equal(fault(url(SERVER), entry('fetch.negotiationalgorithm', 'noop', scope)), 'fetch.negotiationalgorithm');
  }
  for (const scope of ['global', 'system'] as const)
    assert.equal(fault(url(SERVER), entry('core.sshcommand', 'mine', scope)), null);
  const harmless = ['user.name', 'core.bare', 'remote.origin.fetch', 'remote.pushdefault', 'extensions.objectformat'];
  for (const key of [...harmless, 'fetch.prune', 'transfer.unpacklimit', 'http.https://x/.extraheader', 'hook.a.event'])
    assert.equal(fault(url(SERVER), entry(key)), null, key);
  for (const key of ['http.proxy', 'core.barely', 'xuser.name', 'remote.origin.vcs', 'include.path'])
    assert.equal(fault(url(SERVER), entry(key)), key);
});

test('servers are addresses; options, remote helpers, relative paths and words are none', () => {
  for (const good of [SERVER, 'ssh://git@example.com/a', 'git://example.com/a', 'git@example.com:a/b', 'example.com:a'])
    assert.equal(addressFault(good), null, good);
  const bad = [
    '-oProxyCommand=x',
    'ext::sh -c x',
    'https:///a',
    'ssh://-oProxy/x',
    '../elsewhere.git',
    'word',
    'a b:c',
  ];
  for (const address of [...bad, 'c:\\repo', 'file://server/a', 'https://example.com/a\n'])
    assert.equal(addressFault(address), address, JSON.stringify(address));
});

test('a directory is an address unless it lies in the repository, also through a link, or in one of the kernel', () => {
  const outside = makeDirectory('outside');
  const inside = join(HERE.workTree as string, 'vendor', 'evil.git');
  mkdirSync(inside, { recursive: true });
  const link = join(outside, 'link');
  symlinkSync(inside, link);
  const neighbour = `${HERE.workTree}-neighbour`;
  const dotted = join(HERE.workTree as string, 'dotted..');
  mkdirSync(dotted);
  for (const good of [outside, neighbour, join(HERE.workTree as string, '..', 'other')]) {
    assert.equal(addressFault(good), null, good);
    assert.equal(addressFault(`file://${good}`), null, good);
  }
  const bad = [
    inside,
    link,
    join(dotted, 'evil.git'),
    join(link, 'not', 'there'),
    HERE.workTree as string,
    HERE.commonDir,
  ];
  for (const address of [
    ...bad,
    '/proc/self/cwd',
    '/dev/fd/3',
    '/sys',
    '//server/share',
    `${outside}/../x`.replace(/^/, '//'),
  ])
    for (const form of [address, `file://${address}`]) assert.equal(addressFault(form), form, form);
});

test('an address is that of the remote that is asked; a push looks at its own as well; without any none is contacted', () => {
  const other = entry('remote.other.url', '../evil');
  assert.equal(fault(url(SERVER), other), null);
  assert.equal(fault(other), 'no remote.origin.url');
  const push = [url(SERVER), entry('remote.origin.pushurl', '../evil')];
  assert.equal(automaticFault(HERE, push, 'origin'), null);
  assert.equal(automaticFault(HERE, push, 'origin', 'push'), '../evil');
  // The first one is told.
  assert.equal(automaticFault(HERE, [push[1], url('../first')], 'origin', 'push'), '../first');
  assert.equal(fault(url('../x/user:secret@y')) ?? '', '../x/user:secret@y'.replace('secret', 'secret'));
});

test('even a typed fetch runs no program that the repository names; those of the user, and installed helpers, run', () => {
  const keys = ['core.sshcommand', 'core.askpass', 'core.gitproxy', 'core.alternaterefscommand', 'credential.helper'];
  for (const key of [...keys, 'credential.https://x.helper', 'remote.origin.uploadpack', 'remote.a.b.receivepack']) {
    assert.match(refusal(url(SERVER), entry(key, '!evil')) ?? '', /would run a program \| If it is yours/, key);
    assert.match(refusal(url(SERVER), entry(key, '!evil', 'worktree')) ?? '', /would run a program/, key);
    assert.equal(refusal(url(SERVER), entry(key, '!mine', 'global')), null, key);
  }
  for (const helper of ['store', 'osxkeychain', '']) assert.equal(refusal(entry('credential.helper', helper)), null);
  for (const helper of ['!sh', '/tmp/x', 'a b']) assert.notEqual(refusal(entry('credential.helper', helper)), null);
  assert.equal(refusal(url(SERVER), entry('user.name')), null);
  // A remote may have any name; only the last word says what the setting is.
  assert.notEqual(refusal(entry('remote.a.helper.uploadpack', 'evil')), null);
});

test('the way to confirm a program is its variable, or the settings of the user; a variable that is set confirms it', (t: TestContext) => {
  const before = process.env.GIT_SSH_COMMAND;
  t.after(() => {
    if (before === undefined) delete process.env.GIT_SSH_COMMAND;
    else process.env.GIT_SSH_COMMAND = before;
  });
  delete process.env.GIT_SSH_COMMAND;
  const ssh = entry('core.sshcommand', 'evil');
  assert.match(refusal(ssh) ?? '', /export GIT_SSH_COMMAND="\$\(git config core\.sshcommand\)"/);
  assert.match(refusal(entry('credential.helper', '!x')) ?? '', /git config --global/);
  process.env.GIT_SSH_COMMAND = 'ssh';
  assert.equal(refusal(ssh), null);
  assert.notEqual(refusal(entry('core.askpass', 'evil')), null, 'another program is not confirmed by it');
});

test('no remote is a part of the repository, by its address, its address for pushes, or one that stands for it', () => {
  const inside = join(HERE.workTree as string, 'vendor.git');
  const named = [url(inside), entry('remote.origin.pushurl', inside), entry(`url.${inside}.insteadof`, 'https://x/')];
  for (const each of [
    ...named,
    entry(`url.${inside}.pushinsteadof`, 'https://x/'),
    url('./vendor.git'),
    url(`file://${inside}`),
    url(`file://a-host${inside}`),
  ])
    assert.match(refusal(each) ?? '', /a part of this repository/, `${each.key}=${each.value}`);
  const outside = [
    url(makeDirectory('outside')),
    url('../elsewhere.git'),
    url('file://a-host/x.git'),
    url(SERVER),
    url('git@example.com:here'),
  ];
  for (const each of [...outside, entry('remote.other.url', inside)]) assert.equal(refusal(each), null, each.value);
  const halves = [url('z:here/vendor.git'), entry('url.../.insteadof', 'z:')];
  assert.equal(refusal(...halves), null, 'neither half leads inside');
  assert.throws(() => requireNoCommands(HERE, halves, 'origin', [inside]), /a part of this repository/);
  const bare = { ...HERE, workTree: null };
  assert.throws(() => requireNoCommands(bare, [url('./evil.git')], 'origin'), /a part of this repository/);
});
