/** Which directories outside of a repository may be read, and which links of its settings are opened. */
import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Session } from '../../../src/session/session.js';
import {
  allowCommand,
  Consent,
  findLinks,
  inspectLink,
  isWithin,
  type Links,
  MAX_LINKS,
  realPath,
} from '../../../src/session/siblings/links.js';
import { createRepo, makeDirectory, type TestRepo } from '../../support/repositories/repo.js';

test('a path is within a directory by its parts, not by its letters', () => {
  const cases: [string, boolean][] = [
    ['/a/b', true],
    ['/a/b/c', true],
    ['/a/b/..c', true],
    ['/a/bc', false],
    ['/a', false],
    ['/x', false],
  ];
  for (const [path, expected] of cases) assert.equal(isWithin(path, '/a/b'), expected, path);
});

test('the repository is covered, and of the rest what the user allowed, by real paths and with `~` for the home', () => {
  const [root, allowed, other] = ['root', 'allowed', 'other'].map((name) => realpathSync(makeDirectory(name)));
  const home = realpathSync(process.env.HOME as string);
  mkdirSync(join(home, 'code'), { recursive: true });
  symlinkSync(other, join(root, 'way-out'));
  symlinkSync(allowed, join(other, 'alias'));
  const consent = new Consent(root, [join(other, 'alias'), '~/code', join(other, 'missing')]);
  assert.deepEqual(
    [root, join(root, 'a'), allowed, join(allowed, 'a'), join(home, 'code/x'), other, home].map((path) =>
      consent.covers(path),
    ),
    [true, true, true, true, true, false, false],
  );
  assert.deepEqual([consent.isAllowed(root), consent.isInside(root), consent.isInside(allowed)], [false, true, false]);
  // A link inside of the tree covers nothing: what it leads to is asked for.
  assert.equal(consent.covers(realPath(join(root, 'way-out')) as string), false);
  assert.deepEqual(
    [consent.locate('../x'), consent.locate('~/code')],
    [join(root, '..', 'x'), join(process.env.HOME as string, 'code')],
  );
  assert.deepEqual([consent.allowsAny, new Consent(root, [join(other, 'missing')]).allowsAny], [true, false]);
  assert.equal(realPath(join(other, 'missing')), null);
});

test('the command that allows a directory is quoted, and never has one in it that cannot be shown', () => {
  assert.equal(allowCommand('/code/lib'), 'git config --global --add socraticode.linked.allow /code/lib');
  assert.match(allowCommand('/code/my lib; rm', 'context.allow'), /socraticode\.context\.allow '\/code\/my lib; rm'$/);
  assert.match(allowCommand('/code/a\u001b[31mb'), / DIRECTORY$/);
});

async function linksOf(
  t: TestContext,
  repo: TestRepo,
  allow: string[] = [],
  linkedProjects?: string[],
): Promise<Links & { session: Session }> {
  const session = await Session.open({ directory: repo.dir, flags: { 'linked.allow': allow, linkedProjects } });
  t.after(() => session.close());
  return { ...(await findLinks(session, await session.origin(undefined, { unborn: true }))), session };
}

const linking = (paths: readonly string[]) => ({ '.socraticode.json': JSON.stringify({ linkedProjects: paths }) });
const told = ({ list }: Links) => list.map(({ path, refusal }) => `${path} ${refusal?.state ?? 'opened'}`);

test('links of a repository lead out of it only where the user allowed that; each directory counts once', async (t) => {
  const repo = createRepo();
  const out = createRepo();
  const aside = `../${basename(out.dir)}`;
  mkdirSync(join(repo.dir, 'inner'));
  symlinkSync(out.dir, join(repo.dir, 'alias'));
  repo.write(linking(['inner', './inner', aside, 'alias', 'nowhere']));
  const refused = await linksOf(t, repo);
  assert.deepEqual(told(refused), ['inner opened', `${aside} not-allowed`, 'alias not-allowed', 'nowhere missing']);
  assert.match(`${refused.list[1].refusal?.reason}`, /git config --global --add socraticode\.linked\.allow /);
  const allowed = await linksOf(t, repo, [out.dir]);
  assert.deepEqual(told(allowed), ['inner opened', `${aside} opened`, 'nowhere missing']);
  assert.deepEqual(
    allowed.list.map(({ trusted }) => trusted),
    [false, true, false],
  );
});

test('what the user links is trusted by its path as written; a link in the tree that leads out is not', async (t) => {
  const repo = createRepo();
  const out = createRepo();
  symlinkSync(out.dir, join(repo.dir, 'alias'));
  const found = await linksOf(t, repo, [], ['alias', out.dir]);
  assert.deepEqual(told(found), ['alias not-allowed', `${out.dir} opened`]);
  assert.equal(found.list[1].trusted, true);
});

test('of many links the first are opened, as many again are told to be left out, and refused ones take no place', async (t) => {
  const repo = createRepo();
  const names = Array.from({ length: 3 * MAX_LINKS }, (_, i) => `r${i}`);
  for (const name of names) mkdirSync(join(repo.dir, name));
  repo.write(linking(['nowhere', ...names]));
  const states = told(await linksOf(t, repo));
  assert.deepEqual(states.slice(0, MAX_LINKS + 1), [
    'nowhere missing',
    ...names.slice(0, MAX_LINKS).map((name) => `${name} opened`),
  ]);
  assert.equal(states.length, 2 * MAX_LINKS);
  assert.ok(states.slice(MAX_LINKS + 1).every((state) => state.endsWith(' left-out')));
});

test('a link is opened at the top of a repository of its own: not in this one, a folder of one, or no repository', async (t) => {
  const repo = createRepo();
  const out = createRepo();
  out.commit({ 'src/a.ts': '' });
  repo.commit({ 'src/b.ts': '' });
  const plain = makeDirectory();
  const { session, consent } = await linksOf(t, repo, [out.dir]);
  const link = { path: 'x', source: 'settings', trusted: true, directory: null, refusal: null } as const;
  const state = async (directory: string) => {
    const found = await inspectLink(link, realpathSync(directory), session.repository, consent);
    return 'state' in found ? found.state : found.commonDir;
  };
  assert.equal(await state(out.dir), out.commonDir);
  assert.equal(await state(join(out.dir, 'src')), 'not-a-repository');
  assert.equal(await state(plain), 'not-a-repository');
  assert.equal(await state(repo.dir), 'same');
  assert.equal(await state(join(repo.dir, 'src')), 'same');
  const bare = createRepo({ bare: true });
  assert.equal(await state(bare.dir), bare.commonDir);
});

test('a `.git` file that names the repository of somebody else is refused, and one that is named back is not', async (t) => {
  const repo = createRepo();
  const out = createRepo();
  out.commit({ 'a.ts': '' });
  const tree = join(makeDirectory(), 'tree');
  out.git('worktree', 'add', '-q', tree, '-b', 'side');
  const { session, consent } = await linksOf(t, repo, [tree]);
  const inspect = (trusted: boolean, directory: string) => {
    const link = { path: 'x', source: 'settings', trusted, directory: null, refusal: null } as const;
    return inspectLink(link, realpathSync(directory), session.repository, consent);
  };
  assert.deepEqual(await inspect(true, tree), { commonDir: out.commonDir });
  const untrusted = await inspect(false, tree);
  assert.equal('state' in untrusted && untrusted.state, 'not-allowed');
  const other = makeDirectory();
  writeFileSync(join(other, '.git'), `gitdir: ${out.commonDir}\n`);
  const claimed = await inspect(true, other);
  assert.equal('state' in claimed && claimed.state, 'not-allowed');
});
