/** Which remote is shared with, what its notes are called here, and what git's configuration says about fetching them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import fc from 'fast-check';
import { openRepository } from '../../src/git/repository.js';
import type { ConfigEntry } from '../../src/git/worktree.js';
import { readNotesFetchConfig } from '../../src/share/remote-config.js';
import {
  chooseRemote,
  remoteNames,
  type SharedRepository,
  selectNotesRefs,
  selectorRefspec,
  trackingRef,
} from '../../src/share/remotes.js';
import { createRepo } from '../support/repositories/repo.js';

const entry = (line: string): ConfigEntry => {
  const [key, value] = line.split('=');
  return { key, value, scope: 'local', origin: '' };
};
const remotes = (...names: string[]) => names.map((name) => `remote.${name}.url=file:///x`);

/** A repository on the branch `work` with this configuration; git is asked for nothing but the branch. */
function shared(...lines: string[]): SharedRepository {
  const git = { run: async () => ({ stdout: Buffer.from('work\n') }) };
  return {
    repository: { git, gitDir: '/nowhere' } as unknown as SharedRepository['repository'],
    config: lines.map(entry),
  };
}

test('a push and a fetch choose a remote as git does', async () => {
  const three = remotes('origin', 'fork', 'mirror');
  const cases: [string, string[], push: string, fetch: string][] = [
    ['origin without any wish', three, 'origin', 'origin'],
    ['the only one', remotes('fork'), 'fork', 'fork'],
    ["the branch's", [...three, 'branch.work.remote=fork'], 'fork', 'fork'],
    ["another branch's counts for nothing", [...three, 'branch.main.remote=fork'], 'origin', 'origin'],
    ['a default for pushes', [...three, 'remote.pushdefault=mirror', 'branch.work.remote=fork'], 'mirror', 'fork'],
    [
      "the branch's own for pushes",
      [...three, 'remote.pushdefault=mirror', 'branch.work.pushremote=fork'],
      'fork',
      'origin',
    ],
    ['the last of several values', [...three, 'branch.work.remote=mirror', 'branch.work.remote=fork'], 'fork', 'fork'],
    ['one that does not exist is passed over', [...three, 'branch.work.remote=gone'], 'origin', 'origin'],
  ];
  for (const [what, lines, push, fetch] of cases) {
    assert.equal(await chooseRemote(shared(...lines), undefined, 'push'), push, what);
    assert.equal(await chooseRemote(shared(...lines), undefined, 'fetch'), fetch, what);
  }
});

test('a named remote must exist; without a default among several none is chosen', async () => {
  assert.equal(await chooseRemote(shared(...remotes('a', 'origin')), 'a', 'push'), 'a');
  const missing = chooseRemote(shared(...remotes('a')), 'b', 'push');
  await assert.rejects(missing, /no remote is called b: there is a$/);
  await assert.rejects(chooseRemote(shared(...remotes('a', 'b')), undefined, 'fetch'), /there are a, b$/);
  await assert.rejects(chooseRemote(shared(), undefined, 'fetch'), /there is no remote$/);
});

test('a remote is listed once, in the order of the configuration, and only with an address', () => {
  const lines = [...remotes('b', 'a.b', 'b'), 'remote.c.fetch=+refs/heads/*:refs/remotes/c/*'];
  assert.deepEqual(remoteNames(lines.map(entry)), ['b', 'a.b']);
});

test('the refspec of a profile fetches its ref alone, and that of a kind all of its refs', () => {
  const refspec = (profile: string | null) => selectorRefspec('origin', { kind: 'syntax', profile });
  const tracking = 'refs/notes/remotes/origin/socraticode/syntax';
  assert.equal(refspec('0123'), `+refs/notes/socraticode/syntax/0123*:${tracking}/0123*`);
  assert.equal(refspec(null), `+refs/notes/socraticode/syntax/*:${tracking}/*`);
});

test('a selector of a profile means its ref alone, of local refs as of tracking refs; one of a kind means all', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'a\n' });
  const names = ['syntax/0123', 'syntax/01234', 'syntax/4567', 'vectors/0123'];
  for (const below of ['refs/notes/socraticode', 'refs/notes/remotes/origin/socraticode'])
    for (const name of names) repo.git('update-ref', `${below}/${name}`, 'HEAD');
  const repository = await openRepository(repo.dir);
  const selected = async (profile: string | null, remote?: string) =>
    [...(await selectNotesRefs(repository, [{ kind: 'syntax', profile }], remote)).keys()].sort();
  const syntax = names.slice(0, 3).map((name) => `refs/notes/socraticode/${name}`);
  for (const remote of [undefined, 'origin']) {
    assert.deepEqual(await selected('0123', remote), [syntax[0]]);
    assert.deepEqual(await selected(null, remote), syntax);
  }
});

const letter = fc.constantFrom(...'ab/.-~^:?*[\\@{ \u0001', '.lock', '..', '//', 'é');
const anyName = fc.array(letter, { minLength: 1, maxLength: 5 }).map((letters) => letters.join(''));

test('property: a name that is accepted can be part of a ref, and is no option', () => {
  fc.assert(
    fc.property(anyName, (name) => {
      const accepted = remoteNames([{ ...entry('x=y'), key: `remote.${name}.url` }]);
      if (accepted.length === 0) return;
      assert.ok(!name.startsWith('-'));
      const ref = trackingRef(name, 'refs/notes/socraticode/syntax/0123456789ab');
      assert.equal(spawnSync('git', ['check-ref-format', ref]).status, 0, JSON.stringify(name));
    }),
    { numRuns: 300 },
  );
});

test('a fetch brings the notes only where a refspec says so, and one that writes the local notes is a mirror', () => {
  const cases: [spec: string, enabled: boolean, isMirrored: boolean][] = [
    ['+refs/heads/*:refs/remotes/origin/*', false, false],
    ['+refs/notes/socraticode/*:refs/notes/remotes/origin/socraticode/*', true, false],
    ['+refs/notes/socraticode/*:refs/notes/remotes/other/socraticode/*', false, false],
    ['+refs/*:refs/*', true, true],
    ['refs/notes/*:refs/notes/*', true, true],
    ['+refs/notes/socraticode/syntax/*:refs/notes/socraticode/syntax/*', true, true],
    ['refs/notes/socraticode/syntax/1:refs/notes/socraticode/syntax/1', true, true],
    ['+refs/notes/commits:refs/notes/commits', false, false],
    ['+refs/notes/other/*:refs/notes/other/*', false, false],
    ['refs/heads/main', false, false],
  ];
  for (const [spec, enabled, isMirrored] of cases) {
    const config = [entry(`remote.origin.fetch=${spec}`), entry(`remote.other.fetch=+refs/*:refs/*`)];
    const found = readNotesFetchConfig({ config }, 'origin');
    assert.deepEqual([found.enabled, found.isMirrored], [enabled, isMirrored], spec);
  }
});
