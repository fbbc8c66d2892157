/** The line about the last change in the box beside a name, and what an editor is told where there is no answer. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type ErrorCode, SocraticodeError } from '../../src/base/errors.js';
import { ask, LastChanges, Workspace } from '../../src/lsp/features.js';
import type { GraphSymbolResponse } from '../../src/questions/graph/symbol/question.js';
import type { Project } from '../../src/serve/project.js';
import { Projects } from '../../src/serve/projects.js';
import { Session } from '../../src/session/session.js';
import { createRepo } from '../support/repositories/repo.js';

test('a history that could not be read is read again with the next box, and nobody is told of a failure', async () => {
  let asked = 0;
  const project = {
    root: '/repository',
    get session() {
      asked++;
      throw new Error('an object is missing');
    },
  } as unknown as Project;
  const found = { commit: 'c', definitions: [{ path: 'a.ts', symbol: 'total' }] } as unknown as GraphSymbolResponse;
  const changes = new LastChanges();
  for (const times of [1, 2, 3]) {
    assert.equal(await changes.of(project, found), '');
    // The box does not wait for it.
    for (let tries = 0; asked < times && tries < 1_000; tries++) await setTimeout(20);
    assert.equal(asked, times);
  }
  assert.equal(await changes.of(project, { ...found, commit: null } as GraphSymbolResponse), '');
  assert.equal(asked, 3, 'no commit has no history');
});

const { signal } = new AbortController();
const PLACE = { place: ':/cart.ts:1:17' };

test('an editor has no answer, and no error, where nothing is indexed or committed yet, or it took the request back', async () => {
  const failing = (code: ErrorCode) => ({
    signal,
    project: {
      root: '/repository',
      get session() {
        throw new SocraticodeError(code, 'no');
      },
    } as unknown as Project,
  });
  for (const code of ['NOT_READY', 'BAD_ARGUMENT', 'CANCELLED', 'UNBORN_HEAD'] as const)
    assert.equal(await ask(failing(code), 'graph definition', PLACE), null, code);
  for (const code of ['DISK', 'INTERNAL', 'NOT_A_REPOSITORY'] as const)
    await assert.rejects(ask(failing(code), 'graph definition', PLACE), { code });
});

test('before the first commit an editor is told of what is in the work tree, and of no history', async (t) => {
  const repo = createRepo();
  repo.write({ 'cart.ts': 'export function total() {}\n' });
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const project = { session, root: repo.dir } as unknown as Project;
  const found = await ask({ project, signal }, 'graph definition', PLACE);
  assert.deepEqual([found?.commit, found?.definitions.map(({ symbol }) => symbol)], [null, ['total']]);
  assert.equal(
    await ask({ project, signal }, 'history', { query: 'total', limit: 10, lines: 1, noContent: true, maxCommits: 10 }),
    null,
  );
});

test('the last change is that of the name in its file, where another file has a symbol of that name', async (t) => {
  const repo = createRepo();
  const total = (count: number) => `export function total() {\n  return ${count};\n}\n`;
  repo.commit({ 'a.ts': total(1), 'b.ts': total(22) }, 'begin');
  repo.commit({ 'a.ts': total(2) }, 'count apples');
  repo.commit({ 'b.ts': total(33) }, 'count pears');
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const project = { session, root: repo.dir } as unknown as Project;
  const commit = repo.git('rev-parse', 'HEAD');
  for (const [path, subject] of [
    ['a.ts', 'count apples'],
    ['b.ts', 'count pears'],
  ]) {
    const found = { commit, definitions: [{ path, symbol: 'total' }] } as unknown as GraphSymbolResponse;
    const changes = new LastChanges();
    let line = '';
    for (let tries = 0; line === '' && tries < 100; tries++) line = await changes.of(project, found);
    assert.match(line, new RegExp(`: ${subject} \\([0-9a-f]{8}\\)$`));
  }
});

test('documents of git itself and those outside of the opened repository have no place; hidden files have', async (t) => {
  const repo = createRepo();
  repo.commit({ '.github/run.yml': 'on: push\n', '.gitignore': 'x\n', 'src/a.ts': '1\n' });
  const projects = new Projects({ directory: repo.dir, allow: [repo.dir] });
  const workspace = new Workspace(projects, [repo.dir]);
  t.after(async () => {
    await workspace.close();
    await projects.close();
  });
  const placeOf = async (path: string) =>
    (await workspace.locate(pathToFileURL(join(repo.dir, path)).href))?.path ?? null;
  for (const path of ['src/a.ts', '.github/run.yml', '.gitignore']) assert.equal(await placeOf(path), path);
  for (const path of ['.git/config', '.git/hooks/x', '../a.ts']) assert.equal(await placeOf(path), null, path);
  assert.equal(await workspace.locate('untitled:a.ts'), null);
});
