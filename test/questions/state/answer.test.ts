/** Settings in effect with their sources, and the repositories that belong together. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ServerCaller } from '../../../src/questions/asker.js';
import { answerProjects } from '../../../src/questions/state/answer.js';
import { askerOf, opened } from '../../support/in-process/asker.js';
import { openTold } from '../../support/in-process/told.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
repo.commit({ 'a.ts': '1\n', '.socraticode.json': '{ "maxFileBytes": 3000, "exclude": ["x"] }' }, 'begin');
repo.write({ '.socraticode.json': '{ "maxFileBytes": 4000 }' });
repo.git('config', '--add', 'socraticode.include', 'y');
const { text, refusal } = await openTold(repo);
const changed = async (given: object) =>
  (await text('config', { ...given }))
    .split('\n')
    .map((line) => line.replaceAll(repo.dir, 'REPO').replace(/ {2,}/, '  '))
    .filter((line) => /^(?:maxFileBytes|exclude|include|embedder\.name)=|json|git config/.test(line));

test('settings come from the work tree or a ref, with their sources where these are asked for', async () => {
  assert.deepEqual(await changed({}), ['include=["y"]', 'exclude=[]', 'maxFileBytes=4000', 'embedder.name=builtin']);
  assert.deepEqual(await changed({ ref: 'HEAD' }), [
    'include=["y"]',
    'exclude=["x"]',
    'maxFileBytes=3000',
    'embedder.name=builtin',
  ]);
  assert.deepEqual(await changed({ showOrigin: true }), [
    'git config (local, file:REPO/.git/config)  include=["y"]',
    '.socraticode.json  maxFileBytes=4000',
  ]);
  assert.equal(
    await refusal('config', { ref: 'nowhere' }),
    'UNKNOWN_REF: unknown ref: nowhere (List refs with `git branch -a` or `git tag`.)',
  );
});

test('about names the toolsets, and profiles what is indexed', async () => {
  const about = await text('about');
  assert.match(about, /^\ngit-socraticode \d+\.\d+\.\d+ \(Apache-2\.0\)\ncore: .*\bsearch\b.*\n/);
  assert.match(about, /\nembedder: builtin /);
  assert.match(about, /\nlimits: maxFileBytes 4000, results 100, linkedRepositories \d+\n/);
  assert.equal(
    await text('profiles'),
    `
nothing is indexed yet: git socraticode index
`,
  );
  await text('index');
  const told = (await text('profiles')).replaceAll(repo.dir, 'REPO');
  assert.equal(
    told.replace(/\d[\d.]* [KM]?B|extraction \d+/g, 'SOME'),
    `
syntax <id>: in use (SOME)
  refs/notes/socraticode/syntax/<id>: 2 records, SOME, <now>
  REPO/.git/socraticode/<id>-<id>: SOME
vectors <id>: in use (builtin:<id>)
  REPO/.git/socraticode/<id>-<id>: SOME
`,
  );
});

test('a repository without commits is listed with its branch and the name that its settings give it', async (t) => {
  const empty = createRepo();
  empty.git('checkout', '-q', '-b', 'begin');
  empty.git('config', 'socraticode.projectId', 'market');
  const server = { projects: { opened: async () => [] } } as unknown as ServerCaller;
  const listed = async () => {
    const { projects } = await answerProjects(askerOf(await opened(t, empty), { server }));
    return projects.find(({ relation }) => relation === 'this');
  };
  const own = { name: 'market', path: empty.dir, relation: 'this', branch: 'begin', reason: null };
  assert.deepEqual(await listed(), { ...own, state: 'unborn', commit: null, coverage: null });
  const commit = empty.commit({ 'a.ts': 'export const a = 1;\n' });
  assert.deepEqual(await listed(), { ...own, state: 'partial', commit, coverage: { covered: 0, total: 1 } });
});
