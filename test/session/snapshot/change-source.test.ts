/** With a watcher git is asked about paths with events alone: their answer joins the one before only if HEAD is the same. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { WorkTreeChange, WorkTreeChanges } from '../../../src/git/status.js';
import { Session } from '../../../src/session/session.js';
import { ChangeSource } from '../../../src/session/snapshot/change-source.js';
import { createRepo } from '../../support/repositories/repo.js';

const change = (path: string) => ({ path, name: Buffer.from(path), isFile: true }) as WorkTreeChange;

/** A source whose git says what the test wants; `asked` are the questions that it got, null for all files. */
async function opened(t: TestContext, answers: (touched: readonly string[] | null) => WorkTreeChanges) {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a\n', 'b.ts': 'b\n' });
  const session = await Session.open({ directory: repo.dir });
  const asked: (readonly string[] | null)[] = [];
  const readChanges = async (touched?: readonly string[]) => {
    asked.push(touched ?? null);
    return answers(touched ?? null);
  };
  const source = new ChangeSource(Object.create(session, { readChanges: { value: readChanges } }), false);
  t.after(() => {
    source.close();
    return session.close();
  });
  await source.startWatching();
  await source.read();
  const questions = asked.length;
  repo.write({ 'b.ts': 'other\n' });
  while (asked.length === questions) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    await source.read();
  }
  return { asked: asked.slice(questions), paths: (await source.read()).list.map(({ path }) => path) };
}

test('what git says of the touched files takes the place of what it said of them before', async (t) => {
  const { asked, paths } = await opened(t, (touched) =>
    touched === null
      ? { commit: 'one', list: [change('a.ts'), change('b.ts')] }
      : { commit: 'one', list: [change('b.ts')] },
  );
  assert.deepEqual(asked, [['b.ts']]);
  assert.deepEqual(paths, ['a.ts', 'b.ts']);
});

test('what it says of another commit is not joined: all files are asked for again', async (t) => {
  let commit = 'one';
  const { asked, paths } = await opened(t, (touched) => {
    if (touched === null) return { commit, list: [change(commit === 'one' ? 'a.ts' : 'new.ts')] };
    commit = 'two';
    return { commit, list: [change('b.ts')] };
  });
  assert.deepEqual(asked, [['b.ts'], null]);
  assert.deepEqual(paths, ['new.ts']);
});

test('each edit of a text that is not saved makes new changes; the same texts keep theirs', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'a\n' });
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const saved: WorkTreeChanges = { commit: 'one', list: [change('b.ts')] };
  const unsaved = { paths: ['a.ts'], version: 1 };
  const of = { readChanges: { value: async () => saved }, unsaved: { value: unsaved } };
  const source = new ChangeSource(Object.create(session, of), false);
  t.after(() => source.close());
  const first = await source.read();
  assert.deepEqual(
    first.list.map(({ path }) => path),
    ['b.ts', 'a.ts'],
  );
  assert.equal(await source.read(), first);
  unsaved.version = 2;
  const second = await source.read();
  assert.notEqual(second, first);
  assert.equal(await source.read(), second);
});
