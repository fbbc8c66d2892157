/** Notes that a partial clone lacks, and which of two notes for one thing stays. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { SocraticodeError } from '../../src/base/errors.js';
import type { RefLocks } from '../../src/git/crash-recovery.js';
import { CatFileReader } from '../../src/git/objects.js';
import { Remote } from '../../src/git/remote.js';
import type { ConfigEntry } from '../../src/git/repository.js';
import { openRepository, type Repository } from '../../src/git/repository.js';
import { operationAfter, TASKS } from '../../src/knowledge/codecs.js';
import { encodeEntry } from '../../src/knowledge/entry.js';
import { RecordStore } from '../../src/record/store.js';
import { encodeSyntaxRecord } from '../../src/record/syntax-codec.js';
import { fetchFirst } from '../../src/session/records/bring-records.js';
import {
  addressKey,
  chooseRemote,
  compare,
  completeNotes,
  conflictPolicyOf,
  disable,
  enable,
  fetchNotes,
  pullNotes,
  RemoteMemory,
  readNotesFetchConfig,
  remoteNames,
  type SharedRepository,
  selectNotesRefs,
  selectorRefspec,
  selectTrackedRefs,
  trackingRef,
  trackingRefs,
  whileBusy,
} from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import { cloneRepo, createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';
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

test('every note that a partial clone lacks is asked for, be it one, and nothing is asked where none is', async () => {
  for (const count of [1, 3]) {
    const { remote, clone } = remoteWith(texts(3));
    const targets = Array.from({ length: count }, (_, i) => blobOf(clone, `f${i}.txt`));
    await note(clone, targets);
    clone.git('push', '-q', 'origin', NOTES_REF);
    const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout', '-c', 'protocol.file.allow=always');
    partial.git('fetch', '-q', 'origin', `${NOTES_REF}:${NOTES_REF}`);
    const asked: string[][] = [];
    const stub = { fetchObjects: async (oids: readonly string[]) => void asked.push([...oids]) } as unknown as Remote;
    const commit = partial.git('rev-parse', NOTES_REF);
    await completeNotes((await sharedOf(partial)).repository, stub, commit);
    assert.equal(asked.flat().length, count);
    asked.length = 0;
    await completeNotes((await sharedOf(clone)).repository, stub, clone.git('rev-parse', NOTES_REF));
    assert.deepEqual(asked, []);
  }
});

test('a pull brings the notes that a plain fetch of a partial clone left out', async () => {
  const { remote, clone } = remoteWith(texts(2));
  await note(clone, [blobOf(clone, 'f0.txt'), blobOf(clone, 'f1.txt')]);
  clone.git('push', '-q', 'origin', NOTES_REF);
  const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  await enable(await sharedOf(partial), 'origin');
  partial.git('fetch', '-q');
  const { received } = await pullNotes(await sharedOf(partial), 'origin', [SELECTOR]);
  assert.deepEqual([received, noted(partial)], [2, noted(clone)]);
});

test('a pull brings the notes of a ref that it tracks for the first time, where only their trees are here', async () => {
  const { remote, clone } = remoteWith(texts(2));
  await note(clone, [blobOf(clone, 'f0.txt'), blobOf(clone, 'f1.txt')]);
  clone.git('push', '-q', 'origin', NOTES_REF);
  const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
  partial.git('fetch', '-q', 'origin', `${NOTES_REF}:${NOTES_REF}`);
  const missing = () => partial.git('rev-list', '--objects', '--missing=print', NOTES_REF).match(/^\?/gm)?.length ?? 0;
  assert.equal(missing(), 2);
  await pullNotes(await sharedOf(partial), 'origin', [SELECTOR]);
  assert.equal(missing(), 0);
});

test('a record that is whole stays before one that is not, or is of another blob', async () => {
  const oid = '7'.repeat(40);
  const bytes = encodeSyntaxRecord(oid, { skip: 'binary' });
  const { isValid } = await conflictPolicyOf(NOTES_REF);
  assert.deepEqual(
    [isValid(oid, bytes), isValid(oid, bytes.subarray(1)), isValid('8'.repeat(40), bytes)],
    [true, false, false],
  );
  const other = await conflictPolicyOf('refs/notes/socraticode/vectors/0123456789ab');
  assert.equal(other.isValid(oid, bytes), false);
});

test('an entry that is whole stays before one that is not', async () => {
  const claim = { author: { name: 'a', email: '', by: 'person' as const }, time: 1_700_000_000 };
  const body = operationAfter(null, { title: 'to do' });
  const { id, bytes } = encodeEntry(TASKS, { ...claim, body }, 'sha1');
  const { isValid } = await conflictPolicyOf('refs/notes/socraticode/tasks/v1');
  assert.deepEqual([isValid(id, bytes), isValid(id, bytes.subarray(1))], [true, false]);
});

test('only a remote that is busy is asked again, and its own failure is told in the end', async () => {
  const twice = {
    retry: async (work: () => Promise<unknown>) => (await work()) ?? (await work()),
  } as unknown as RefLocks;
  const asked = async (...failures: ('REMOTE_BUSY' | 'GIT_FAILED')[]) => {
    let count = 0;
    const fetch = async () => {
      const code = failures[count++];
      if (code !== undefined) throw new SocraticodeError(code, `${code} ${count}`);
    };
    const failure = await whileBusy(fetch, twice).catch((error: Error) => error.message);
    return [count, failure];
  };
  assert.deepEqual(await asked(), [1, undefined]);
  assert.deepEqual(await asked('REMOTE_BUSY'), [2, undefined]);
  assert.deepEqual(await asked('REMOTE_BUSY', 'REMOTE_BUSY'), [2, 'REMOTE_BUSY 2']);
  assert.deepEqual(await asked('GIT_FAILED'), [1, 'GIT_FAILED 1']);
});

test('a pull counts what each ref has gained, in the order of their names, and a second one gains nothing', async () => {
  const { remote, clone } = remoteWith(texts(3));
  const targets = [0, 1, 2].map((i) => blobOf(clone, `f${i}.txt`));
  await note(clone, targets);
  const other = NOTES_REF.replace('syntax', 'vectors');
  await note(clone, targets.slice(1));
  clone.git('update-ref', other, NOTES_REF);
  clone.git('push', '-q', 'origin', NOTES_REF, other);
  const puller = cloneRepo(remote, '-c', 'protocol.file.allow=always');
  const pull = async () => pullNotes(await sharedOf(puller), 'origin', [{ ...SELECTOR, kind: 'vectors' }, SELECTOR]);
  const first = await pull();
  assert.deepEqual(first, {
    refs: [NOTES_REF, other].map((ref) => ({ ref, records: 3 })),
    received: 6,
  });
  assert.deepEqual(noted(puller), targets.sort());
  assert.equal((await pull()).received, 0);
});

test('a remote is told of all notes that are here, fetched and own ones, so that it sends none of them again', async (t) => {
  const { remote, clone } = remoteWith(texts(2));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  clone.git('push', '-q', 'origin', NOTES_REF);
  const puller = cloneRepo(remote, '-c', 'protocol.file.allow=always');
  const shared = await sharedOf(puller);
  const told = t.mock.method(Remote.prototype, 'fetch');
  const known = async () => {
    await fetchNotes(shared, 'origin', [SELECTOR]);
    return [...(told.mock.calls.at(-1)?.arguments[1] ?? [])].sort();
  };
  assert.deepEqual(await known(), []);
  const fetched = puller.git('rev-parse', trackingRef('origin', NOTES_REF));
  assert.deepEqual(await known(), [fetched], 'not united yet');
  await note(puller, [blobOf(puller, 'f1.txt')]);
  assert.deepEqual(await known(), [fetched, puller.git('rev-parse', NOTES_REF)].sort());
});

test('a pull does not move the branch that a tracking ref is a symbolic ref of', async () => {
  const { remote, clone } = remoteWith(texts(1));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  clone.git('push', '-q', 'origin', NOTES_REF);
  const puller = cloneRepo(remote);
  puller.git('symbolic-ref', trackingRef('origin', NOTES_REF), 'refs/heads/main');
  const before = puller.git('for-each-ref');
  await assert.rejects(pullNotes(await sharedOf(puller), 'origin', [SELECTOR]), { message: /symbolic ref/ });
  assert.equal(puller.git('for-each-ref'), before);
});

test('a notes ref that is no notes is named in our words with a way out, here and at a remote', async (t) => {
  const { remote, clone } = remoteWith(texts(1));
  const shared = await sharedOf(clone);
  const objects = new CatFileReader(shared.repository.git);
  t.after(() => objects.close());
  const store = new RecordStore(shared.repository, objects, SELECTOR.kind, `${SELECTOR.profile}`, () => {
    throw new Error('nothing is decoded');
  });
  const tree = clone.git('rev-parse', 'HEAD^{tree}');
  for (const [oid, type] of [
    [blobOf(clone, 'f0.txt'), 'blob'],
    [tree, 'tree'],
  ]) {
    clone.git('update-ref', NOTES_REF, oid);
    const here = {
      code: 'UNREADABLE_OBJECT',
      message: `${NOTES_REF} holds no notes: it points at a ${type}`,
      hint: `Delete it: git update-ref -d ${NOTES_REF}`,
    };
    for (const work of [() => store.readTip(), () => store.load(1), () => store.load()])
      await assert.rejects(work, here);
    clone.git('update-ref', '-d', NOTES_REF);
    assert.equal(await store.readTip(), null);
    remote.git('update-ref', NOTES_REF, oid);
    await note(clone, [blobOf(clone, 'f0.txt')]);
    const there = {
      code: 'UNREADABLE_OBJECT',
      message: `${NOTES_REF} at origin holds no notes: it points at a ${type}`,
      hint: new RegExp(`git push origin :${NOTES_REF}$`),
    };
    await assert.rejects(pullNotes(shared, 'origin', [SELECTOR]), there);
    await assert.rejects(pushNotes(shared, 'origin', [SELECTOR]), there);
    // Nobody who asks for other notes is told.
    await pullNotes(shared, 'origin', [{ kind: 'vectors', profile: null }]);
    // A first search asks by itself, and answers all the same.
    assert.equal(await fetchFirst(await sharedOf(cloneRepo(remote)), [SELECTOR]), 0);
    clone.git('update-ref', '-d', NOTES_REF);
  }
});

function memory(): { memory: RemoteMemory; path: string } {
  const commonDir = makeDirectory('git');
  mkdirSync(join(commonDir, 'socraticode'));
  return {
    memory: new RemoteMemory({ commonDir } as Repository),
    path: join(commonDir, 'socraticode', 'remotes.json'),
  };
}

const URL = 'https://user:secret@example.com/x.git';
const HOUR_MS = 3_600_000;

test('a request is not repeated until its time is over, wherever the clock is set to', (t) => {
  const key = addressKey(URL);
  const { memory: kept, path } = memory();
  t.mock.timers.enable({ apis: ['Date'], now: 1_000 * HOUR_MS });
  assert.equal(kept.wasRequested(key), false);
  kept.setRequested(key, HOUR_MS);
  for (const [now, isAsked] of [
    [1_000, true],
    [1_000.9, true],
    [1_001, false],
    [2_000, false],
    [999.5, true],
    [10, false],
  ] as const) {
    t.mock.timers.setTime(now * HOUR_MS);
    assert.equal(kept.wasRequested(key), isAsked, `${now} h`);
  }
  assert.doesNotMatch(readFileSync(path, 'utf8'), /secret/);
});

test('a union is remembered for one commit of a ref; a refusal until it is taken back', () => {
  const { memory: kept } = memory();
  kept.setUnited('refs/notes/a', 'one');
  assert.deepEqual([kept.isUnited('refs/notes/a', 'one'), kept.isUnited('refs/notes/a', 'two')], [true, false]);
  kept.setUnited('refs/notes/a', 'two');
  assert.equal(kept.isUnited('refs/notes/a', 'one'), false);
  kept.setDenied('x', true);
  kept.setDenied('y', true);
  kept.setDenied('x', false);
  assert.deepEqual([kept.isDenied('x'), kept.isDenied('y')], [false, true]);
});

test('the unions of removed refs are forgotten, and only theirs', () => {
  const { memory: kept } = memory();
  for (const ref of ['a', 'b', 'c']) kept.setUnited(`refs/notes/${ref}`, 'one');
  kept.forgetUnited(new Set(['refs/notes/a', 'refs/notes/c', 'refs/notes/d']));
  assert.deepEqual(
    ['a', 'b', 'c'].map((ref) => kept.isUnited(`refs/notes/${ref}`, 'one')),
    [false, true, false],
  );
});

test('the newest 200 of each kind are kept', () => {
  const { memory: kept } = memory();
  for (let i = 0; i < 205; i++) {
    kept.setUnited(`refs/notes/${i}`, 'one');
    kept.setRequested(`${i}`, HOUR_MS);
    kept.setDenied(`${i}`, true);
  }
  for (const isKept of [(key: string) => kept.wasRequested(key), (key: string) => kept.isDenied(key)])
    assert.deepEqual(['0', '4', '5', '204'].map(isKept), [false, false, true, true]);
  kept.setUnited('refs/notes/5', 'two');
  kept.setUnited('refs/notes/new', 'one');
  assert.deepEqual(
    [4, 5, 6, 204].map((i) => kept.isUnited(`refs/notes/${i}`, i === 5 ? 'two' : 'one')),
    [false, true, false, true],
  );
});

test('a file that was damaged or forged counts as empty where it makes no sense', () => {
  const { memory: kept, path } = memory();
  const forged = [
    '',
    '{',
    'null',
    '[]',
    '7',
    '{"united":7,"asked":"x","denied":{}}',
    '{"asked":{"k":null},"united":{"refs/notes/a":7},"denied":[1]}',
    '{"asked":{"k":{"at":"now","forMs":1e999}}}',
    `{"asked":{"k":{"at":${Date.now()},"forMs":1e999}}}`,
    '{"asked":{"k":{"at":"now","forMs":99999999999999}}}',
    '{"asked":null,"united":null,"denied":null}',
  ];
  for (const text of forged) {
    writeFileSync(path, text);
    assert.deepEqual(
      [kept.wasRequested('k'), kept.isUnited('refs/notes/a', 'one'), kept.isDenied('k')],
      [false, false, false],
      text,
    );
  }
  writeFileSync(path, '{"united":{"refs/notes/a":"one","refs/notes/b":7}}');
  assert.equal(kept.isUnited('refs/notes/a', 'one'), true);
});

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
  assert.deepEqual(
    trackingRefs(lines.map(entry), NOTES_REF),
    ['b', 'a.b'].map((remote) => ({ remote, ref: `refs/notes/remotes/${remote}/socraticode/syntax/0123456789ab` })),
  );
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

test('tracking refs are listed for each configured remote that has any of the kind, and for no other', async () => {
  const repo = createRepo();
  const head = repo.commit({ 'a.txt': 'a\n' });
  const shared = async () => sharedOf(repo);
  const listed = async (...kinds: string[]) => {
    const selectors = kinds.map((kind) => ({ kind, profile: null }));
    return Object.fromEntries(
      [...(await selectTrackedRefs(await shared(), selectors))].map(([remote, refs]) => [
        remote,
        Object.fromEntries(refs),
      ]),
    );
  };
  for (const name of ['origin', 'backup', 'empty']) repo.git('remote', 'add', name, `https://example.com/${name}`);
  assert.deepEqual(await listed('syntax', 'vectors'), {});
  const tracking = (remote: string, name: string) => `refs/notes/remotes/${remote}/socraticode/${name}`;
  for (const ref of [
    tracking('origin', 'syntax/0123'),
    tracking('backup', 'vectors/0123'),
    tracking('gone', 'syntax/0123'),
  ])
    repo.git('update-ref', ref, 'HEAD');
  repo.git('symbolic-ref', tracking('empty', 'syntax/0123'), tracking('origin', 'syntax/0123'));
  const syntax = { 'refs/notes/socraticode/syntax/0123': head };
  const vectors = { 'refs/notes/socraticode/vectors/0123': head };
  assert.deepEqual(await listed('syntax'), { origin: syntax });
  assert.deepEqual(await listed('vectors'), { backup: vectors });
  assert.deepEqual(await listed('vectors', 'syntax'), { origin: syntax, backup: vectors });
  assert.deepEqual(await listed(), {});
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

const HEADS = '+refs/heads/*:refs/remotes/origin/*';

function mirrored(...specs: string[]): boolean {
  const config = specs.map((value) => ({ key: 'remote.origin.fetch', value }));
  return readNotesFetchConfig({ config: config as unknown as SharedRepository['config'] }, 'origin').isMirrored;
}

const specs = (repo: TestRepo) => repo.git('config', '--get-all', 'remote.origin.fetch').split('\n').filter(Boolean);

test('a refspec that overwrites the local notes is told from those that do not', () => {
  const own = '+refs/notes/socraticode/*:refs/notes/remotes/origin/socraticode/*';
  for (const spec of [
    '+refs/*:refs/*',
    'refs/notes/*:refs/notes/*',
    '+refs/notes/socraticode/*:refs/notes/socraticode/*',
    '+refs/notes/socraticode/syntax/*:refs/notes/socraticode/syntax/*',
    '+refs/notes/socraticode/syntax/0123456789ab:refs/notes/socraticode/syntax/0123456789ab',
    '+refs/notes/so*:refs/notes/so*',
  ])
    assert.equal(mirrored(HEADS, spec), true, spec);
  for (const spec of [
    HEADS,
    own,
    'refs/notes/commits:refs/notes/commits',
    '+refs/notes/socraticodeX/a:refs/notes/socraticodeX/a',
    'refs/notes/socraticode/syntax/0123456789ab',
    '+refs/notes/socraticode/*:',
    'refs/heads/*:notes/*',
    'refs/heads/*:refs/x/refs/notes/socraticode/*',
    '*:*',
    'refs/heads/x:refs/notes',
  ])
    assert.equal(mirrored(spec), false, spec);
});

test('enabling adds one line, disabling takes away that line alone, and both say whether they did', async () => {
  const repo = createRepo();
  repo.git('remote', 'add', 'origin', 'https://example.invalid/x.git');
  repo.git('config', '--add', 'remote.origin.fetch', '+refs/tags/v*:refs/tags/v*');
  const before = specs(repo);
  assert.equal(await disable(await sharedOf(repo), 'origin'), false);
  assert.equal(await enable(await sharedOf(repo), 'origin'), true);
  const { refspec, enabled } = readNotesFetchConfig(await sharedOf(repo), 'origin');
  assert.deepEqual([specs(repo), enabled], [[...before, refspec], true]);
  assert.equal(await enable(await sharedOf(repo), 'origin'), false);
  assert.equal(await disable(await sharedOf(repo), 'origin'), true);
  assert.deepEqual(specs(repo), before);
  assert.equal(readNotesFetchConfig(await sharedOf(repo), 'origin').enabled, false);
});

test('refs are compared in the order of their names, whichever side has them', async () => {
  const { clone } = remoteWith(texts(1));
  await note(clone, [blobOf(clone, 'f0.txt')]);
  const names = ['syntax/0123456789ab', 'syntax/ffffffffffff', 'vectors/0123456789ab'];
  clone.git('update-ref', `refs/notes/socraticode/${names[2]}`, NOTES_REF);
  clone.git('update-ref', `refs/notes/remotes/origin/socraticode/${names[1]}`, NOTES_REF);
  const every = ['vectors', 'syntax'].map((kind) => ({ kind, profile: null }));
  const compared = await compare(await sharedOf(clone), 'origin', every);
  assert.deepEqual(
    compared.map(({ ref, hasLocal, hasRemote }) => [ref.slice('refs/notes/socraticode/'.length), hasLocal, hasRemote]),
    [
      [names[0], true, false],
      [names[1], false, true],
      [names[2], true, false],
    ],
  );
});

test('ahead and behind count the records of one side alone, for refs of either side', async () => {
  const { clone } = remoteWith(texts(4));
  const oids = [0, 1, 2, 3].map((i) => blobOf(clone, `f${i}.txt`));
  const counted = async () => compare(await sharedOf(clone), 'origin', [SELECTOR]);
  assert.deepEqual(await counted(), []);
  await note(clone, oids.slice(0, 3));
  assert.deepEqual(
    (await counted()).map(({ ahead, behind, hasLocal, hasRemote }) => [ahead, behind, hasLocal, hasRemote]),
    [[3, 0, true, false]],
  );
  await pushNotes(await sharedOf(clone), 'origin', [SELECTOR]);
  await note(clone, oids.slice(3));
  assert.deepEqual(
    (await counted()).map(({ ahead, behind, hasLocal, hasRemote }) => [ahead, behind, hasLocal, hasRemote]),
    [[1, 0, true, true]],
  );
  const [{ ref }] = await counted();
  clone.git('update-ref', '-d', ref);
  assert.deepEqual(await counted(), [{ ref, ahead: 0, behind: 3, hasLocal: false, hasRemote: true }]);
  const { received } = await pullNotes(await sharedOf(clone), 'origin', [SELECTOR]);
  assert.equal(received, 3);
  assert.deepEqual(await counted(), [{ ref, ahead: 0, behind: 0, hasLocal: true, hasRemote: true }]);
});
