/** Searching over linked repositories: which are found, which are followed, how their results come together. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import type { SearchResponse } from '../../../src/questions/search/question.js';
import type { LinkedAnswer } from '../../../src/questions/shared-output.js';
import type { SearchOptions } from '../../../src/session/search/searcher.js';
import { type LinkAccess, labelsOf, OpenLinks, searchLinked } from '../../../src/session/siblings/ask.js';
import { findLinks } from '../../../src/session/siblings/links.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

const source = (name: string) =>
  `/** Keeps sessions. */\nexport function ${name}(session: string): string {\n  return session;\n}\n`;

/** A repository with one function about sessions. */
function about(name: string, options: Parameters<typeof createRepo>[0] = {}): TestRepo {
  const repo = createRepo(options);
  repo.commit({ [`src/${name}.ts`]: source(name) });
  return repo;
}

interface Ask extends Partial<SearchOptions> {
  access?: LinkAccess;
  allow?: string[];
  linked?: string[];
}

/** Asks as a command does; `allow` and `linked` are what the user's own settings say. */
function ask(repo: TestRepo, { access, allow, linked, ...options }: Ask = {}): Promise<SearchResponse> {
  const flags = { 'linked.allow': allow, linkedProjects: linked };
  return inProcess(
    repo,
    async (process) => {
      const links = new OpenLinks();
      try {
        return await searchLinked(process.session, { query: 'session', mode: 'lexical', ...options }, access ?? links);
      } finally {
        await links.close();
      }
    },
    flags,
  );
}

const links = (paths: readonly string[]) => JSON.stringify({ linkedProjects: paths });
const states = (answer: SearchResponse) =>
  (answer.linked as LinkedAnswer[]).map(({ path, state }) => `${path} ${state}`);
const shown = (answer: SearchResponse) => answer.results.map(({ project, path }) => `${project ?? ''}:${path}`);
const aside = (repo: TestRepo) => `../${basename(repo.dir)}`;

/** A repository inside the work tree of another, ignored by it. */
function nested(repo: TestRepo, path: string, name: string): TestRepo {
  writeFileSync(join(repo.commonDir, 'info', 'exclude'), `${path}\n`, { flag: 'a' });
  return about(name, { directory: join(repo.dir, path) });
}

test('results of several repositories are one list, each named by its own path and project', async () => {
  const main = about('mainSession');
  const lib = about('libSession');
  lib.write({ 'src/new.ts': source('newSession') });
  const tools = nested(main, 'tools', 'toolSession');
  tools.commit({ '.socraticode.json': '{"projectId": "the-tools"}' });
  main.commit({ '.socraticode.json': links(['tools', aside(lib)]) });
  const answer = await ask(main, { allow: [lib.dir] });
  const name = basename(lib.dir);
  const places = [
    ':src/mainSession.ts',
    'the-tools:src/toolSession.ts',
    `${name}:src/new.ts`,
    `${name}:src/libSession.ts`,
  ];
  assert.deepEqual(shown(answer).sort(), places.sort());
  const [first, second] = answer.linked as LinkedAnswer[];
  assert.deepEqual(
    [first.commit, first.results, first.coverage],
    [tools.git('rev-parse', 'HEAD'), 1, { covered: 2, total: 2 }],
  );
  assert.deepEqual([second.project, second.state, second.results], [name, 'searched', 2]);
  const scores = answer.results.map(({ score }) => score);
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
  );
  assert.equal((await ask(main, { allow: [lib.dir], limit: 2 })).results.length, 2);
});

test('the repository that has the words of the query comes first, this one where others are as good', async () => {
  const main = about('openSession');
  const other = nested(main, 'other', 'openSession');
  other.commit({
    'src/refund.ts': '/** Refunds a payment for a session. */\nexport function refund(payment: string) {}\n',
  });
  const options = { linked: ['other'], path: ['src/**'] };
  const answer = await ask(main, { ...options, query: 'how is a payment refunded' });
  assert.equal(shown(answer)[0], 'other:src/refund.ts');
  assert.equal(shown(await ask(main, { ...options, query: 'openSession', limit: 1 }))[0], ':src/openSession.ts');
  const short = await ask(main, { ...options, noContent: true });
  assert.ok(short.results.every(({ content }) => content === undefined));
});

test('filters apply everywhere, a ref to this repository only', async () => {
  const main = about('oldSession');
  main.git('tag', 'before');
  const inner = nested(main, 'inner', 'innerSession');
  main.commit({ 'src/oldSession.ts': source('newSession'), '.socraticode.json': links(['inner']) });
  const answer = await ask(main, { ref: 'HEAD~1', linked: ['inner'], path: ['src/**'], explain: true });
  assert.deepEqual(answer.results.map(({ symbol }) => symbol).sort(), ['innerSession', 'oldSession']);
  assert.equal(answer.results[0].explain?.['factor:project'], 1.05);
  assert.equal(answer.linked?.[0].commit, inner.git('rev-parse', 'HEAD'));
  assert.deepEqual(shown(await ask(main, { path: ['docs/**'] })), []);
  for (const options of [{ in: 'before..' }, { allRefs: true }])
    await assert.rejects(ask(main, options), /searched at their own HEAD/);
});

test('checked out submodules count by themselves, others do not', async () => {
  const main = about('mainSession');
  const sub = about('subSession');
  for (const path of ['vendor/sub', 'vendor/gone'])
    main.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sub.dir, path);
  main.commit();
  main.git('submodule', '--quiet', 'deinit', '-f', 'vendor/gone');
  const answer = await ask(main);
  assert.deepEqual(states(answer), ['vendor/sub searched']);
  assert.deepEqual(shown(answer).sort(), [':src/mainSession.ts', 'sub:src/subSession.ts']);
});

test('what a repository names outside itself is followed only where its user allows it', async () => {
  const main = about('mainSession');
  const secret = about('secretSession');
  main.commit({ '.socraticode.json': links([aside(secret)]) });
  const refused = await ask(main);
  assert.deepEqual(states(refused), [`${aside(secret)} not-allowed`]);
  assert.match(refused.linked?.[0].reason as string, /git config --global --add socraticode\.linked\.allow \//);
  assert.deepEqual(shown(refused), [':src/mainSession.ts']);
  for (const consent of [{ allow: [secret.dir] }, { linked: [aside(secret)] }, { linked: [secret.dir] }])
    assert.equal(shown(await ask(main, consent)).length, 2, JSON.stringify(consent));
  main.git('config', 'socraticode.linked.allow', secret.dir);
  await assert.rejects(ask(main), /cannot be set by a repository/);
});

/** Ways in which what lies in a work tree leads to a repository elsewhere. */
const HOSTILE: Record<string, (main: TestRepo, secret: TestRepo) => void> = {
  'a link to it': (main, secret) => symlinkSync(secret.dir, join(main.dir, 'evil')),
  'a link to the directory around it': (main, secret) => {
    symlinkSync(join(secret.dir, '..'), join(main.dir, 'up'));
    symlinkSync(join('up', basename(secret.dir)), join(main.dir, 'evil'));
  },
  'a .git file that names its git directory': (main, secret) => {
    mkdirSync(join(main.dir, 'evil'));
    writeFileSync(join(main.dir, 'evil', '.git'), `gitdir: ${secret.commonDir}\n`);
  },
  'a .git link to its git directory': (main, secret) => {
    mkdirSync(join(main.dir, 'evil'));
    symlinkSync(secret.commonDir, join(main.dir, 'evil', '.git'));
  },
  'a git directory whose common directory it is': (main, secret) => {
    const evil = about('evil', { directory: join(main.dir, 'evil') });
    writeFileSync(join(evil.dir, '.git', 'commondir'), `${secret.commonDir}\n`);
  },
  'a git directory that names its work tree': (main, secret) => {
    about('evil', { directory: join(main.dir, 'evil') }).git('config', 'core.worktree', secret.dir);
  },
  'a git directory whose parts are links': (main, secret) => {
    const { commonDir } = about('evil', { directory: join(main.dir, 'evil') });
    for (const part of ['objects', 'refs']) {
      rmSync(join(commonDir, part), { recursive: true });
      symlinkSync(join(secret.commonDir, part), join(commonDir, part));
    }
  },
  'a git directory with one ref that is a link, and borrowed objects': (main, secret) => {
    const evil = about('evil', { directory: join(main.dir, 'evil') });
    writeFileSync(join(evil.commonDir, 'objects/info/alternates'), `${join(secret.commonDir, 'objects')}\n`);
    const [theirs, ours] = [secret, evil].map(({ commonDir }) => join(commonDir, 'refs/heads/main'));
    rmSync(ours);
    symlinkSync(theirs, ours);
  },
};

for (const [name, plant] of Object.entries(HOSTILE)) {
  test(`nothing of another repository is read through ${name}`, async () => {
    const main = about('mainSession');
    const secret = about('secretSession');
    plant(main, secret);
    main.write({
      '.socraticode.json': links(['evil']),
      '.gitmodules': `[submodule "x"]\n\tpath = evil\n\turl = ./x\n[submodule "y"]\n\tpath = ../${basename(secret.dir)}\n\turl = ./y\n`,
    });
    for (const linked of [undefined, ['evil']]) {
      const answer = await ask(main, { linked });
      assert.ok(!JSON.stringify(answer.results).includes('secret'), JSON.stringify(answer.linked));
    }
    assert.equal(secret.git('for-each-ref', 'refs/notes'), '', 'and nothing is written there');
  });
}

test('work trees and submodules that the user allowed are searched wherever git keeps them', async () => {
  const main = about('mainSession');
  const other = about('otherSession');
  const tree = `${other.dir}-tree`;
  other.git('worktree', 'add', '-q', '-b', 'side', tree);
  const submodule = about('subSession');
  other.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', submodule.dir, 'sub');
  const answer = await ask(main, { linked: [tree, join(other.dir, 'sub'), other.dir] });
  assert.deepEqual(
    answer.linked?.map(({ state }) => state),
    ['searched', 'searched', 'same'],
  );
  // A path that only claims to be a work tree of it is not.
  writeFileSync(join(createRepo().dir, 'x'), '');
  const liar = `${main.dir}-liar`;
  mkdirSync(liar);
  writeFileSync(join(liar, '.git'), `gitdir: ${other.commonDir}\n`);
  assert.deepEqual(states(await ask(main, { linked: [liar] })), [`${liar} not-allowed`]);
  rmSync(liar, { recursive: true });
  rmSync(tree, { recursive: true });
});

test('missing, broken, repeated and circular links are said and hold nothing up', async () => {
  const main = about('mainSession');
  const friend = nested(main, 'friend', 'friendSession');
  friend.commit({ '.socraticode.json': links(['..', '../broken']) });
  nested(main, 'broken', 'brokenSession').write({ '.socraticode.json': '{' });
  nested(main, 'empty', 'emptySession');
  rmSync(join(main.dir, 'empty', '.git'), { recursive: true });
  createRepo({ directory: join(main.dir, 'unborn') });
  main.write({
    '.socraticode.json': links(['friend', './friend/', '.', 'src', 'gone', 'broken', 'empty', 'unborn', 'friend/src']),
  });
  const answer = await ask(main, { committed: true });
  assert.deepEqual(states(answer), [
    ...['friend searched', '. same', 'src same', 'gone missing', 'broken failed', 'empty same', 'unborn failed'],
    'friend/src not-a-repository',
  ]);
  assert.match(answer.linked?.[4].reason as string, /not valid JSON/);
  assert.deepEqual(shown(answer).sort(), [':src/mainSession.ts', 'friend:src/friendSession.ts']);
});

test('at most 20 repositories are searched, and as many more are said', async () => {
  const main = about('mainSession');
  const paths = Array.from({ length: 60 }, (_, i) => `packages/${i}`);
  for (const path of paths) mkdirSync(join(main.dir, path), { recursive: true });
  main.write({ '.socraticode.json': links(paths) });
  const found = await inProcess(main, async ({ session }) => (await findLinks(session, await session.origin())).list);
  assert.deepEqual([found.length, found.filter(({ refusal }) => refusal === null).length], [40, 20]);
  assert.equal(found[20].refusal?.state, 'left-out');
});

test('labels are unique: an id, a folder, the folder above, a number', () => {
  const named = (path: string, projectId: string | null = null) => ({ path, projectId, directory: `/home/${path}` });
  const projects = [
    named('a/lib'),
    named('b/lib'),
    named('c/lib.git'),
    named('x', 'own'),
    named('lib/own'),
    named('b/lib'),
  ];
  assert.deepEqual(labelsOf(projects, ['own']), ['lib', 'b/lib', 'c/lib', 'x', 'lib/own', 'lib#2']);
});

test('one that does not answer is given up after the grace time, and the others are not', async () => {
  const main = about('mainSession');
  nested(main, 'slow', 'slowSession');
  nested(main, 'quick', 'quickSession');
  const files = new OpenLinks();
  const access: LinkAccess = {
    graceMs: 1_500,
    open: (directory) => (directory.endsWith('slow') ? new Promise(() => {}) : files.open(directory)),
  };
  const answer = await ask(main, { linked: ['slow', 'quick'], access });
  await files.close();
  assert.deepEqual(states(answer), ['slow failed', 'quick searched']);
  assert.match(answer.linked?.[0].reason as string, /no answer within 1\.5 s/);
});

test('a directory with a name made to be pasted into a shell is quoted', async () => {
  const main = about('mainSession');
  const evil = join(realpathSync(join(main.dir, '..')), "a'; touch pwned; '");
  renameSync(about('x').dir, evil);
  const answer = await ask(main.write({ '.socraticode.json': links([`../${basename(evil)}`]) }));
  const [link] = answer.linked as LinkedAnswer[];
  assert.ok(link.reason?.endsWith(`'${evil.replaceAll("'", "'\\''")}'`), link.reason ?? '');
});
