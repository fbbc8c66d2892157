/** A `.git/config` that came in an archive: what is fetched unasked runs none of its commands and goes nowhere it says. */
import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { Remote } from '../../src/git/remote.js';
import { automaticFault } from '../../src/git/remote-trust.js';
import { fetchFirst } from '../../src/session/records/bring-records.js';
import { chooseRemote, pullNotes } from '../../src/share/pull.js';
import { makeCanaries } from '../support/hostile/canaries.js';
import { cloneRepo, createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import { countRequests, remoteWith, SELECTOR, sharedOf } from '../support/repositories/share.js';
import { runHere } from '../support/spies/spy.js';

const cli = (args: readonly string[], { cwd, env }: { cwd: string; env?: NodeJS.ProcessEnv }) =>
  runHere(['-C', cwd, ...args], env);

async function published(): Promise<TestRepo> {
  const { remote, clone } = remoteWith(PROJECT);
  await cli(['index'], { cwd: clone.dir });
  assert.equal((await cli(['push'], { cwd: clone.dir })).code, 0);
  return remote;
}

test('keys that make git run something or go elsewhere: no automatic fetch, no command', {
  timeout: 120_000,
}, async (t) => {
  const remote = await published();
  const { run, sung } = makeCanaries();
  const requests = countRequests(t);
  const included = join(makeDirectory(), 'included');
  writeFileSync(included, `[remote "origin"]\n\tuploadpack = ${run('included')}\n`);
  const hostile: [string, string][] = [
    ['remote.origin.uploadpack', run('uploadpack')],
    ['core.sshCommand', run('ssh')],
    ['core.gitProxy', run('proxy')],
    ['core.askPass', run('askpass')],
    ['core.alternateRefsCommand', run('alternates')],
    ['credential.helper', `!${run('credential')}`],
    ['credential.https://example.com.helper', `!${run('credential-url')}`],
    ['remote.origin.vcs', 'ext'],
    ['remote.origin.proxy', 'http://127.0.0.1:1'],
    ['http.proxy', 'http://127.0.0.1:1'],
    ['http.sslKey', '/etc/passwd'],
    ['http.cookieFile', '/etc/passwd'],
    ['protocol.ext.allow', 'always'],
    [`url.ext::${run('insteadof')} .insteadOf`, 'file://'],
    ['include.path', included],
    ['fetch.bundleURI', 'http://127.0.0.1:1'],
    ['trace2.eventTarget', '/tmp'],
  ];
  for (const [key, value] of hostile) {
    const clone = cloneRepo(remote);
    const before = requests();
    clone.git('config', key, value);
    const shared = await sharedOf(clone);
    assert.notEqual(automaticFault(shared.repository, shared.config, 'origin'), null, key);
    if (/command|uploadpack|gitproxy|askpass|helper|vcs/i.test(key) && !key.startsWith('url')) {
      const typed = new Remote(shared.repository, shared.config, 'origin').listTips();
      await assert.rejects(typed, (error) => isSocraticodeError(error, 'UNSAFE_REPOSITORY'), key);
    }
    if (!['remote.origin.uploadpack', 'core.sshCommand', 'include.path'].includes(key) && !key.startsWith('url'))
      continue;
    const { code, stderr } = await cli(['search', 'rememberToken'], { cwd: clone.dir });
    assert.deepEqual([code, stderr, sung(), requests() - before], [0, '', [], 0], key);
  }
});

test('addresses that are commands, options, or part of what was unpacked', async () => {
  const { run, sung } = makeCanaries();
  const repo = createRepo();
  repo.commit(PROJECT);
  const inside = createRepo({ bare: true, directory: join(repo.dir, 'vendor', 'evil.git') });
  const link = join(makeDirectory(), 'link');
  symlinkSync(inside.dir, link);
  const addresses = [
    `ext::${run('ext')}`,
    `--upload-pack=${run('option')}`,
    `-oProxyCommand=${run('proxy')}:x`,
    `ssh://-oProxyCommand=${run('ssh')}/x`,
    inside.dir,
    `file://${inside.dir}`,
    './vendor/evil.git',
    '../elsewhere.git',
    '/proc/self/cwd/vendor/evil.git',
    'file:///dev/fd/3',
    link,
    '//server/share',
    'file:////server/share',
    'helper::https://example.com/x',
  ];
  appendFileSync(join(repo.commonDir, 'config'), '[protocol "ext"]\n\tallow = always\n');
  for (const address of addresses) {
    repo.git('config', 'remote.origin.url', address);
    const { repository, config } = await sharedOf(repo);
    const harmless = config.filter(({ key }) => !key.startsWith('protocol.'));
    assert.equal(automaticFault(repository, harmless, 'origin'), address);
    const shared = { repository, config };
    assert.equal(await fetchFirst(shared, [SELECTOR]), 0);
    await pullNotes(shared, 'origin', [SELECTOR]).catch(() => {});
    assert.deepEqual(sung(), [], address);
    rmSync(repo.state, { recursive: true, force: true });
  }
  for (const good of [
    'https://example.com/a.git',
    'git@example.com:a/b.git',
    'ssh://git@example.com/a',
    '/srv/git/a.git',
  ]) {
    const { repository, config } = await sharedOf(repo);
    const plain = config.filter(({ key }) => !key.startsWith('protocol.') && !key.startsWith('remote.'));
    const entry = { key: 'remote.origin.url', value: good, scope: 'local', origin: '' } as const;
    assert.equal(automaticFault(repository, [...plain, entry], 'origin'), null, good);
  }
});

test('a promised object is not fetched behind our back, whatever transport the repository allows', async () => {
  const { remote } = remoteWith(PROJECT);
  const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  const { run, sung } = makeCanaries();
  partial.git('config', 'remote.origin.url', `ext::${run('lazy')}`);
  partial.git('config', 'protocol.ext.allow', 'always');
  partial.git('config', 'protocol.file.allow', 'always');
  for (const command of [['search', 'rememberToken'], ['index'], ['status']]) await cli(command, { cwd: partial.dir });
  assert.deepEqual(sung(), []);
});

test('names of remotes that git would take for options, or that make no ref, do not exist', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const { run, sung } = makeCanaries();
  const names = [`--upload-pack=${run('name')}`, 'a..b', 'a b', '../../heads'];
  for (const name of names) {
    repo.git('config', `remote.${name}.url`, '/nowhere');
    const shared = await sharedOf(repo);
    await assert.rejects(chooseRemote(shared, name, 'fetch'), (error) => isSocraticodeError(error, 'NO_REMOTE'), name);
  }
  assert.equal((await cli(['pull'], { cwd: repo.dir })).code, 2);
  assert.deepEqual(sung(), []);
});

test('a server that says nothing is given up, and what git started ends with it', async (t) => {
  const server = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address() as { port: number };
  const repo = createRepo();
  repo.git('remote', 'add', 'origin', `git://127.0.0.1:${address.port}/x`);
  const { repository, config } = await sharedOf(repo);
  const cancel = new AbortController();
  setTimeout(() => cancel.abort(), 300);
  const started = performance.now();
  const asking = new Remote(repository, config, 'origin', { signal: cancel.signal }).listTips();
  await assert.rejects(asking, (error) => isSocraticodeError(error, 'CANCELLED'));
  assert.ok(performance.now() - started < 5_000);
  const impatient = new Remote(repository, config, 'origin', { patience: { first: 200, next: 200 } });
  await assert.rejects(impatient.listTips(), (error) => isSocraticodeError(error, 'REMOTE_UNREACHABLE'));
});

test('notes refs that stand for branches: no command changes a branch, and remove takes them away', async () => {
  const remote = await published();
  const clone = cloneRepo(remote);
  const ref = remote.git('for-each-ref', '--format=%(refname)', 'refs/notes');
  const profile = ref.split('/').at(-1) as string;
  const main = clone.git('rev-parse', 'main');
  const tracking = `refs/notes/remotes/origin/socraticode/syntax/${profile}`;
  const heads = () => clone.git('for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads');
  const before = heads();
  const run = async (...args: string[]) => {
    const { code, stderr } = await cli(args, { cwd: clone.dir });
    assert.equal(heads(), before, args.join(' '));
    return { code, stderr };
  };
  for (const symbolic of [ref, tracking]) {
    clone.git('symbolic-ref', symbolic, 'refs/heads/main');
    const { code, stderr } = await run(...(symbolic === ref ? ['index'] : ['pull']));
    assert.equal(code, 2);
    assert.match(stderr, new RegExp(`git symbolic-ref -d ${symbolic}`));
    assert.equal((await run('compact')).code, 0);
    assert.equal((await run('remove')).code, 0);
    assert.equal(clone.git('for-each-ref', 'refs/notes'), '');
    assert.equal(clone.git('rev-parse', 'HEAD'), main);
  }
  assert.equal((await run('pull')).code, 0);
});

test('a broken note of a smaller name does not stay in place of a record', async () => {
  const remote = await published();
  const clone = cloneRepo(remote);
  await cli(['pull'], { cwd: clone.dir });
  const ref = clone.notesRef;
  const [target, good] = [...clone.notes()].sort()[0];
  let bad = '';
  for (let i = 0; bad === '' || bad > good; i++) bad = remote.blob(`bad ${i}`);
  const path = `${target.slice(0, 2)}/${target.slice(2, 4)}/${target.slice(4)}`;
  const noteAt = (repo: TestRepo) => repo.git('rev-parse', `${ref}:${path}`);
  const commit = `commit ${ref}\ncommitter x <x@example.com> now\ndata 4\nevil\nfrom ${ref}^0\n`;
  remote.gitInput(`${commit}M 100644 ${bad} ${path}\n`, 'fast-import', '--quiet', '--date-format=now');
  assert.equal(noteAt(remote), bad);
  await cli(['pull'], { cwd: clone.dir });
  assert.equal(noteAt(clone), good);
  await cli(['push'], { cwd: clone.dir });
  assert.equal(noteAt(remote), good);
});

test('signatures in notes are not looked at, whatever the configuration says', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const sung = join(makeDirectory(), 'sung');
  const script = join(makeDirectory(), 'gpg');
  writeFileSync(script, `#!/bin/sh\ntouch '${sung}'\n`, { mode: 0o755 });
  const person = 'a <a@example.com> 1700000000 +0000';
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n iQ\n -----END PGP SIGNATURE-----\n';
  const tree = repo.gitInput('', 'mktree');
  const text = `tree ${tree}\nauthor ${person}\ncommitter ${person}\n${signature}\nIndex\n\nprofile: {}\n`;
  const commit = repo.gitInput(text, 'hash-object', '-t', 'commit', '-w', '--stdin');
  repo.git('update-ref', 'refs/notes/socraticode/syntax/abcdef012345', commit);
  repo.git('config', 'log.showSignature', 'true');
  repo.git('config', 'gpg.program', script);
  for (const args of [['index'], ['search', 'x'], ['status'], ['profiles'], ['history', 'Route'], ['compact']]) {
    await cli(args, { cwd: repo.dir });
    assert.ok(!existsSync(sung), args[0]);
  }
});

test('a graft that joins private history to a public branch publishes nothing of it', async () => {
  const remote = createRepo({ bare: true });
  const repo = createRepo();
  repo.commit(PROJECT);
  repo.git('remote', 'add', 'origin', remote.dir);
  repo.git('push', '-q', 'origin', 'main');
  repo.git('checkout', '-q', '--orphan', 'private');
  repo.commit({ 'secret.ts': 'export const veryPrivate = 1;\n' });
  const blob = repo.git('rev-parse', 'private:secret.ts');
  repo.git('checkout', '-q', 'main');
  writeFileSync(
    join(repo.commonDir, 'info', 'grafts'),
    `${repo.git('rev-parse', 'main')} ${repo.git('rev-parse', 'private')}\n`,
  );
  for (const ref of ['private', 'main']) await cli(['index', '--ref', ref], { cwd: repo.dir });
  assert.equal((await cli(['push'], { cwd: repo.dir })).code, 0);
  const published = remote.git('ls-tree', '-r', '--name-only', remote.notesRef).replaceAll('/', '').split('\n');
  assert.ok(published.length > 1 && !published.includes(blob));
});

test('a push or a pull that a user typed runs no program of the repository, unless they say that it is theirs', async () => {
  const remote = await published();
  const clone = cloneRepo(remote);
  const { run, sung } = makeCanaries();
  clone.git('config', 'core.sshCommand', run('ssh'));
  clone.git('config', 'remote.origin.url', 'ssh://git@192.0.2.1/x.git');
  const refused = await cli(['pull'], { cwd: clone.dir });
  assert.equal(refused.code, 2);
  assert.match(
    refused.stderr,
    /core\.sshcommand .*\n *If it is yours, export GIT_SSH_COMMAND="\$\(git config core\.sshcommand\)"/,
  );
  assert.deepEqual(sung(), []);
  const own = clone.git('config', 'core.sshCommand');
  assert.equal((await cli(['pull'], { cwd: clone.dir, env: { GIT_SSH_COMMAND: own } })).code, 2);
  assert.deepEqual(sung(), ['ssh']);
  await cli(['index'], { cwd: clone.dir });
  // The hooks of a remote that came along would run, too.
  const inside = createRepo({ bare: true, directory: join(clone.dir, 'vendor', 'evil.git') });
  clone.git('config', '--unset', 'core.sshCommand');
  for (const address of [inside.dir, './vendor/evil.git', `file://${inside.dir}`]) {
    clone.git('config', 'remote.origin.url', address);
    assert.match((await cli(['push'], { cwd: clone.dir })).stderr, /a part of this repository/, address);
  }
});

test('an address that leads into the repository only once git has put its halves together runs none of its hooks', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const inside = cloneRepo(repo, '--bare');
  cpSync(inside.dir, join(repo.dir, 'vendor.git'), { recursive: true });
  const { run, sung } = makeCanaries();
  writeFileSync(join(repo.dir, 'vendor.git', 'hooks', 'pre-receive'), `#!/bin/sh\n${run('pre-receive')}\n`, {
    mode: 0o755,
  });
  repo.git('config', 'remote.origin.url', `z:${basename(repo.dir)}/vendor.git`);
  repo.git('config', 'url.../.insteadOf', 'z:');
  await cli(['index'], { cwd: repo.dir });
  for (const command of ['push', 'pull']) {
    const { code, stderr } = await cli([command], { cwd: repo.dir });
    assert.deepEqual([code, /a part of this repository/.test(stderr)], [2, true], stderr);
  }
  assert.deepEqual(sung(), []);
});
