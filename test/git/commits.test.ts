/** Commits as they lie in the repository: whole, damaged, hostile, in old encodings and far time zones. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import {
  type CommitFiles,
  type CommitLines,
  diffCommits,
  diffLines,
  listCommits,
  parseCommit,
  readCommit,
  signerOf,
} from '../../src/git/commits.js';
import type { GitObject, ObjectReader } from '../../src/git/objects.js';
import type { Git } from '../../src/git/process.js';
import { openRepository } from '../../src/git/repository.js';
import { bytesKept } from '../support/held-memory.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';

const OID = '1'.repeat(40);
const NOON = 1_700_000_000;

/** The bytes of a commit with these header lines and this message. */
const bytes = (lines: readonly string[], message?: string): Buffer =>
  Buffer.from(lines.join('\n') + (message === undefined ? '' : `\n\n${message}`), 'latin1');

/** What is read of a commit by this author, with this message. */
const by = (author: string, message = 'Subject\n') => parseCommit(OID, bytes([`author ${author}`], message));

test('a commit is read whole: parents, author, subject and body', () => {
  const lines = [
    `tree ${'a'.repeat(40)}`,
    `parent ${'b'.repeat(40)}`,
    `parent ${'c'.repeat(40)}`,
    `author A U Thor <thor@example.org> ${NOON} +0530`,
    'committer Somebody Else <else@example.org> 1 +0000',
  ];
  assert.deepEqual(parseCommit(OID, bytes(lines, '\nAdd carts\n\n  First line.\nparent of all\n\n')), {
    commit: OID,
    parents: ['b'.repeat(40), 'c'.repeat(40)],
    date: '2023-11-15T03:43:20+05:30',
    author: 'A U Thor',
    email: 'thor@example.org',
    authored: NOON,
    subject: 'Add carts',
    body: 'First line.\nparent of all',
  });
});

test('a message of one line has no body, and a commit may end before its message', () => {
  assert.deepEqual([by('A <a> 1 +0000', 'Only').subject, by('A <a> 1 +0000', 'Only').body], ['Only', '']);
  const none = parseCommit(OID, bytes([`parent ${OID}`, 'author A <a> 7 +0000']));
  assert.deepEqual([none.subject, none.body, none.authored, none.parents], ['', '', 7, [OID]]);
  const nothing = parseCommit(OID, Buffer.alloc(0));
  assert.deepEqual(nothing, {
    ...{ commit: OID, parents: [], date: null, author: '', email: '', authored: null, subject: '', body: '' },
  });
});

test('a header is known by its whole word', () => {
  const lines = ['parents x', 'authority X <x> 1 +0000', 'author A <a> 2 +0000', 'author B <b> 3 +0000'];
  const commit = parseCommit(OID, bytes(lines, 'Subject'));
  assert.deepEqual([commit.author, commit.authored, commit.parents], ['A', 2, []]);
  // Lines of a merged tag, which begin with a blank.
  const merge = parseCommit(OID, bytes(['mergetag x', ` parent ${OID}`, ' author Z <z> 9 +0000'], 'S'));
  assert.deepEqual([merge.parents, merge.author], [[], '']);
  // No header at all.
  const headless = parseCommit(OID, Buffer.from('\n\nauthor A <a> 1 +0000'));
  assert.deepEqual([headless.author, headless.subject], ['', 'author A <a> 1 +0000']);
});

const DATES: readonly [stamp: string, date: string | null, why: string][] = [
  [`${NOON} +0000`, '2023-11-14T22:13:20Z', 'UTC'],
  [`${NOON} -0000`, '2023-11-14T22:13:20Z', 'UTC, as git writes it for an unknown zone'],
  [`${NOON} -0330`, '2023-11-14T18:43:20-03:30', 'west'],
  [`${NOON} +1400`, '2023-11-15T12:13:20+14:00', 'the farthest zone'],
  [`${NOON} +1401`, '2023-11-14T22:13:20Z', 'no zone is so far'],
  [`${NOON} -9999`, '2023-11-14T22:13:20Z', 'nonsense'],
  [`${NOON}`, '2023-11-14T22:13:20Z', 'no zone'],
  [`${NOON} 0100`, '2023-11-14T22:13:20Z', 'a zone without its sign'],
  ['-1 +0000', '1969-12-31T23:59:59Z', 'before 1970'],
  ['99999999999999999 +0000', null, 'after the end of dates'],
  ['soon +0000', null, 'no number'],
];

test('dates are told in the zone of the author', () => {
  for (const [stamp, date, why] of DATES) assert.equal(by(`A <a> ${stamp}`).date, date, why);
  assert.equal(by('A <a> -1 +0000').authored, -1);
  assert.equal(by('A <a> soon').authored, null);
});

const AUTHORS: readonly [line: string, author: string, email: string][] = [
  ['A <a> 1 +0000', 'A', 'a'],
  ['  A B  < a > 1 +0000', 'A B', 'a'],
  ['<a> 1 +0000', '', 'a'],
  ['A <> 1 +0000', 'A', ''],
  ['A <<a> 1 +0000', 'A', '<a'],
  ['A > B <a> 1 +0000', 'A > B', 'a'],
  ['A a@b 1 +0000', '', ''],
  ['A a> 1 +0000', '', ''],
  ['A <a 1 +0000', '', ''],
];

test('an author without an address in brackets is nobody', () => {
  for (const [line, author, email] of AUTHORS) {
    const commit = by(line);
    assert.deepEqual([commit.author, commit.email], [author, email], line);
  }
  assert.equal(by('A a> 5 +0000').authored, null);
  assert.equal(by('A <a>5 +0000').authored, 5);
});

test('names and messages are read in the encoding that the commit names, or as UTF-8', () => {
  const of = (encoding: string[], name: string, message: string) =>
    parseCommit(OID, bytes([`author ${name} <${name}> 1 +0000`, ...encoding], message));
  const latin = of(['encoding ISO-8859-1'], 'J\xf6rg', 'Gr\xfc\xdfe\n\nGr\xfcn');
  assert.deepEqual([latin.author, latin.email, latin.subject, latin.body], ['Jörg', 'Jörg', 'Grüße', 'Grün']);
  const utf8 = Buffer.from('Jörg').toString('latin1');
  for (const encoding of [[], ['encoding UTF-8'], ['encoding of-the-moon']])
    assert.deepEqual([of(encoding, utf8, utf8).author, of(encoding, utf8, utf8).subject], ['Jörg', 'Jörg']);
});

test('long names and subjects are cut with a sign of it', () => {
  const [fits, long] = ['x'.repeat(500), 'x'.repeat(501)];
  assert.equal(by(`A <a> 1 +0000`, ` ${fits} \nbody`).subject, fits);
  assert.equal(by(`A <a> 1 +0000`, long).subject, `${fits}…`);
  assert.equal(by(`${fits} <${fits}> 1 +0000`).author, fits);
  assert.deepEqual([by(`${long} <a> 1 +0000`).author, by(`A <${long}> 1 +0000`).email], [`${fits}…`, `${fits}…`]);
});

test('of a message 16 KiB are read', () => {
  const message = `S\n${'b'.repeat(20_000)}`;
  assert.equal(by('A <a> 1 +0000', message).body.length, 16_384 - 2);
});

/** Answers for one object, and counts how often its content is read. */
function readerOf(type: GitObject['type'], size: number, content: Buffer | null) {
  const seen = { reads: 0 };
  const objects: ObjectReader = {
    info: async (name) => (name === OID ? { oid: OID, type, size } : null),
    read: async () => {
      seen.reads++;
      return content === null ? null : { oid: OID, type, content };
    },
    close: () => {},
  };
  return { objects, seen };
}

test('only commits of at most a megabyte are read', async () => {
  const content = bytes(['author A <a> 1 +0000'], 'Subject');
  for (const [type, size, isRead] of [
    ['commit', 1 << 20, true],
    ['commit', (1 << 20) + 1, false],
    ['blob', 10, false],
  ] as const) {
    const { objects, seen } = readerOf(type, size, content);
    assert.equal((await readCommit(objects, OID))?.subject, isRead ? 'Subject' : undefined, `${type} ${size}`);
    assert.equal(seen.reads, isRead ? 1 : 0);
  }
  assert.equal(await readCommit(readerOf('commit', 10, null).objects, OID), null);
  assert.equal(await readCommit(readerOf('commit', 10, content).objects, '2'.repeat(40)), null);
});

const LONG = Array.from({ length: 30 }, (_, i) => `line ${i}\n`).join('');

async function visited(repo: TestRepo, commits: string[], partial = false) {
  const { git } = await openRepository(repo.dir);
  const seen: CommitFiles[] = [];
  const isWhole = await diffCommits(git, commits, { partial }, (files) => seen.push(files));
  return { isWhole, seen };
}

test('commits come newest first with parents and times, as many as are asked for', async () => {
  const repo = createRepo();
  const [one, two, three] = ['1', '2', '3'].map((text) => repo.commit({ 'a.txt': text }));
  const { git } = await openRepository(repo.dir);
  const all = await listCommits(git, { tip: 'HEAD', maxCommits: 10 });
  assert.deepEqual(
    all.map(({ commit, parents }) => [commit, parents]),
    [
      [three, [two]],
      [two, [one]],
      [one, []],
    ],
  );
  assert.ok(all.every(({ time }) => time === 1_704_164_645));
  assert.equal((await listCommits(git, { tip: 'HEAD', maxCommits: 2 })).length, 2);
  await assert.rejects(listCommits(git, { tip: 'nowhere', maxCommits: 2 }), { code: 'GIT_FAILED' });
});

test('each commit has the files that it changed, with their blobs before and after', async () => {
  const repo = createRepo();
  const first = repo.commit({ 'a.txt': LONG, 'gone.txt': 'gone' });
  repo.git('mv', 'a.txt', 'b.txt');
  repo.git('rm', '-q', 'gone.txt');
  repo.write({ 'b.txt': `${LONG}more\n` }).git('commit', '-qam', 'move');
  const second = repo.git('rev-parse', 'HEAD');
  const blob = (name: string) => repo.git('rev-parse', name);
  const { isWhole, seen } = await visited(repo, [second, first]);
  assert.equal(isWhole, true);
  assert.deepEqual(seen, [
    {
      commit: second,
      paths: ['b.txt', 'gone.txt'],
      renames: [['a.txt', 'b.txt']],
      blobs: [
        { before: blob(`${first}:a.txt`), after: blob(`${second}:b.txt`) },
        { before: blob(`${first}:gone.txt`), after: null },
      ],
    },
    {
      commit: first,
      paths: ['a.txt', 'gone.txt'],
      renames: [],
      blobs: [
        { before: null, after: blob(`${first}:a.txt`) },
        { before: null, after: blob(`${first}:gone.txt`) },
      ],
    },
  ]);
});

test('in a partial clone only equal contents are renames, for which no blob is read', async () => {
  const repo = createRepo();
  repo.commit({ 'a.txt': LONG, 'c.txt': 'same content\n' });
  repo.git('mv', 'a.txt', 'b.txt');
  repo.git('mv', 'c.txt', 'd.txt');
  repo.write({ 'b.txt': `${LONG}more\n` }).git('commit', '-qam', 'move');
  const { seen } = await visited(repo, [repo.git('rev-parse', 'HEAD')], true);
  assert.deepEqual(seen[0].renames, [['c.txt', 'd.txt']]);
  const whole = await visited(repo, [repo.git('rev-parse', 'HEAD')]);
  assert.deepEqual(whole.seen[0].renames, [
    ['a.txt', 'b.txt'],
    ['c.txt', 'd.txt'],
  ]);
  assert.deepEqual(seen[0].paths.sort(), ['a.txt', 'b.txt', 'd.txt']);
});

test('merges and empty commits are left out; links and submodules have no blob', async () => {
  const repo = createRepo();
  const base = repo.commit({ 'a.txt': 'a' });
  repo.git('checkout', '-q', '-b', 'side');
  const side = repo.commit({ 'b.txt': 'b' });
  repo.git('checkout', '-q', '-');
  repo.commit({ 'c.txt': 'c' });
  repo.git('merge', '-q', '--no-edit', 'side');
  const merge = repo.git('rev-parse', 'HEAD');
  repo.git('commit', '-q', '--allow-empty', '-m', 'nothing');
  const empty = repo.git('rev-parse', 'HEAD');
  const link = repo.blob('a.txt');
  repo.git('update-index', '--add', '--cacheinfo', `120000,${link},link`, '--cacheinfo', `160000,${base},sub`);
  repo.git('commit', '-q', '-m', 'link');
  const last = repo.git('rev-parse', 'HEAD');
  const { seen } = await visited(repo, [last, empty, merge, side]);
  assert.deepEqual(
    seen.map(({ commit }) => commit),
    [last, side],
  );
  assert.deepEqual([seen[0].paths, seen[0].blobs], [['link', 'sub'], Array(2).fill({ before: null, after: null })]);
});

test('more commits than travel at once are all visited', async () => {
  const repo = createRepo();
  const commit = repo.commit({ 'a.txt': 'a' });
  for (const count of [0, 1_000, 1_100]) {
    const { seen, isWhole } = await visited(repo, Array(count).fill(commit));
    assert.deepEqual([seen.map((each) => each.commit), isWhole], [Array(count).fill(commit), true]);
  }
});

test('where an object is missing the rest is unknown; a caller that gives up is told so', async () => {
  const repo = createRepo();
  const first = repo.commit({ 'a.txt': 'a' });
  const second = repo.commit({ 'a.txt': 'b' });
  const tree = repo.git('rev-parse', `${first}^{tree}`);
  rmSync(join(repo.commonDir, 'objects', tree.slice(0, 2), tree.slice(2)));
  assert.equal((await visited(repo, [second, first])).isWhole, false);
  const { git } = await openRepository(repo.dir);
  const signal = AbortSignal.abort();
  await assert.rejects(
    diffCommits(git, [second], { partial: false, signal }, () => {}),
    { code: 'CANCELLED' },
  );
  const mine = new Error('of the caller');
  const controller = new AbortController();
  const third = repo.commit({ 'a.txt': 'c' });
  const fail = (isGivenUp: boolean) => () => {
    if (isGivenUp) controller.abort();
    throw mine;
  };
  const read = (isGivenUp: boolean) =>
    diffCommits(git, [third, third], { partial: false, signal: controller.signal }, fail(isGivenUp));
  await assert.rejects(read(false), mine);
  await assert.rejects(read(true), { code: 'CANCELLED' });
});

test('a commit in the middle of which git stopped is unknown, and none is if git comes to its end', async () => {
  const [first, last] = ['a', 'b'].map((digit) => digit.repeat(40));
  const change = (path: string) => `:100644 100644 ${'c'.repeat(40)} ${'d'.repeat(40)} M\0${path}\0`;
  const seenOf = async (code: number) => {
    const child = Object.assign(new EventEmitter(), {
      ...{ stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough(), kill: () => true },
    });
    child.stdin.resume();
    child.stdout.end(`${first}\0${change('one')}${last}\0${change('two')}`);
    child.stderr.end(code === 0 ? '' : 'fatal: unable to read tree\n');
    child.stdout.once('end', () => child.emit('close', code, null));
    const seen: string[] = [];
    const git = { spawn: () => child } as unknown as Git;
    const visit = ({ commit, paths }: CommitFiles) => seen.push(`${commit[0]} ${paths.join()}`);
    return [await diffCommits(git, [first, last], { partial: true }, visit), seen];
  };
  assert.deepEqual(await seenOf(0), [true, ['a one', 'b two']]);
  assert.deepEqual(await seenOf(128), [false, ['a one']]);
});

async function linesOf(repo: TestRepo, ...refs: string[]): Promise<CommitLines['files'][]> {
  const visited: CommitLines[] = [];
  const commits = refs.map((ref) => repo.git('rev-parse', ref));
  await diffLines((await openRepository(repo.dir)).git, commits, undefined, (lines) => visited.push(lines));
  assert.deepEqual(
    visited.map(({ commit }) => commit),
    commits,
  );
  return visited.map(({ files }) => files);
}

test('a line of many pieces is one line, and what follows it is read', async () => {
  const repo = createRepo();
  const long = 'x'.repeat(3 << 20);
  repo.commit({ 'a.js': `${long}\none\n${long}\n`, 'b.js': 'two\n' }, 'long');
  assert.deepEqual(await linesOf(repo, 'HEAD'), [
    [
      { path: 'a.js', from: null, hunks: [1, 0, 3] },
      { path: 'b.js', from: null, hunks: [1, 0, 1] },
    ],
  ]);
});

test('the lines of commits: changed, inserted, removed, in new, renamed and removed files, whatever the lines look like', async () => {
  const repo = createRepo();
  // Lines that a difference would have between its parts.
  const odd = ['-- a/other', '++ b/other', '@@ -1 +1 @@', 'diff --git a/x b/x', OID, '-- a/last', '++ b/last'].join(
    '\n',
  );
  repo.commit({ 'a b.c': 'one\ntwo\nthree\nfour\nfive\n', 'ö"x.c': `${odd}\n` }, 'new');
  repo.commit({ 'a b.c': 'one\nTWO\nTWO AND A HALF\nthree\nfive\n', 'ö"x.c': 'plain' }, 'changed');
  repo.git('mv', 'a b.c', 'b.c');
  repo.git('rm', '-q', 'ö"x.c');
  repo.commit({}, 'moved');
  assert.deepEqual(await linesOf(repo, 'HEAD', 'HEAD~1', 'HEAD~2'), [
    [
      { path: 'b.c', from: 'a b.c', hunks: [] },
      { path: null, from: 'ö"x.c', hunks: [0, 1, 0] },
    ],
    [
      { path: 'a b.c', from: 'a b.c', hunks: [2, 1, 2, 4, 1, 0] },
      { path: 'ö"x.c', from: 'ö"x.c', hunks: [1, 7, 1] },
    ],
    [
      { path: 'a b.c', from: null, hunks: [1, 0, 5] },
      { path: 'ö"x.c', from: null, hunks: [1, 0, 7] },
    ],
  ]);
});

test('only a signature that git calls good, of a key that is trusted and about these very words, has a signer', async () => {
  const digest = 'd'.repeat(64);
  const signed = (said = digest, header = 'gpgsig x') =>
    `tree ${OID}\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n${header}\n\n${said}\n`;
  const signer = (verdict: string, signature = signed()) => {
    const run = async ([command]: readonly string[]) => {
      const stdout = command === 'hash-object' ? `${OID}\n` : verdict;
      return { code: 0, stdout: Buffer.from(stdout), stderr: '' };
    };
    return signerOf({ git: { run } as unknown as Git, gitConfig: [] }, signature, digest);
  };
  assert.equal(await signer('G\0Ann <ann@example.com>\n'), 'Ann <ann@example.com>');
  // Bad, of a key that is not trusted, expired, revoked, not checkable, none.
  for (const status of ['B', 'U', 'X', 'Y', 'R', 'E', 'N'])
    assert.equal(await signer(`${status}\0Eve\n`), null, status);
  assert.equal(await signer('G\0\n'), null);
  assert.equal(await signer('G\0Ann\n', signed('e'.repeat(64))), null, 'about something else');
  assert.equal(await signer('G\0Ann\n', signed(digest, 'parent x')), null, 'not signed');
});

test('a cache that knows a commit of a long list keeps no other commit in memory', async () => {
  const line = `1796022304 ${'9304c3454709808f94b10c706d5cf8dadada77fe'} ${'a3147ea3473d1265378225c4e96d425552432d8f'}\n`;
  const stdout = Buffer.from(line.repeat(1_000));
  const git = { run: async () => ({ stdout }) } as unknown as Git;
  const kept = await bytesKept(async () => (await listCommits(git, { tip: 'HEAD', maxCommits: 1_000 }))[500].commit);
  assert.ok(kept < 10_000, `${kept} bytes`);
});
