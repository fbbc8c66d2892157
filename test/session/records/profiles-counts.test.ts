/** Sizes of records are counted once, and then only what was added; the sums are those of counting all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syntaxStore } from '../../../src/record/store.js';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { countRecords, describeNotes, readNotes } from '../../../src/session/records/profiles.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';
import { PROJECT } from '../../support/repositories/samples.js';

/** Indexes HEAD, then counts in a process of its own, and returns the trees that git listed for it. */
async function counted(repo: TestRepo, name: string): Promise<number> {
  await inProcess(repo, ({ session }) => indexRef(session));
  return inProcess(repo, async ({ session }) => {
    const store = syntaxStore(session.repository, session.objects, session.profile);
    const { git } = session.repository;
    const commands: string[] = [];
    const spawn = git.spawn.bind(git);
    git.spawn = (args, options) => {
      commands.push(args[0]);
      return spawn(args, options);
    };
    const found = await countRecords(session, store);
    const listed = commands.filter((command) => command === 'ls-tree').length;
    assert.deepEqual(found, describeNotes(await readNotes(session, store)), name);
    return listed;
  });
}

test('records are counted once, and again when packs may hold them in other sizes', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  assert.equal(await counted(repo, 'at first'), 1);
  assert.equal(await counted(repo, 'again'), 0);
  repo.commit({ 'src/more.ts': 'export const more = 1;\n', 'src/other.ts': 'export const other = 2;\n' });
  assert.equal(await counted(repo, 'two more'), 0);
  // A note that is written anew is no further one.
  await inProcess(repo, async ({ session }) => {
    const store = syntaxStore(session.repository, session.objects, session.profile);
    const target = repo.git('rev-parse', 'HEAD:src/more.ts');
    await store.load();
    await store.write([{ target, note: Buffer.from('another') }]);
    assert.deepEqual(await countRecords(session, store), describeNotes(await readNotes(session, store)));
  });
  repo.git('gc', '-q');
  assert.equal(await counted(repo, 'packed'), 1);
  assert.equal(await counted(repo, 'packed, again'), 0);
  repo.git('update-ref', '-d', repo.notesRef);
  await counted(repo, 'written anew');
});
