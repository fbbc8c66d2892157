/** Subjects of commits are made ahead by an index run, once a search has read the history, and found again by the next process. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { indexRef, warmMessages, warmSearch } from '../../../src/session/indexing/index-operation.js';
import { historyScores, keepSubjects, readExternalText } from '../../../src/session/search/external-text.js';
import { Session } from '../../../src/session/session.js';
import { Corpora } from '../../../src/session/snapshot/corpora.js';
import { openTarget } from '../../../src/session/snapshot/target.js';
import { createRepo, makeDirectory, runGit, TestRepo } from '../../support/repositories/repo.js';

async function open(t: TestContext, repo: TestRepo): Promise<Session> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return session;
}

function kept({ shards: { directory } }: Session, kind: 'subjects' | 'messages' = 'subjects'): number {
  return readdirSync(directory).filter((name) => name.startsWith(`${kind}-`)).length;
}

/** Commands of git that a session starts from now on. */
function commandsOf({ repository: { git } }: Session): string[] {
  const commands: string[] = [];
  const spawn = git.spawn.bind(git);
  git.spawn = (args, options) => {
    commands.push(args.includes('-U0') ? `${args[0]} -U0` : args[0]);
    return spawn(args, options);
  };
  return commands;
}

test('an index run reads no history for a repository that nobody searches, and afterwards all that is new', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.js': 'const a = 1;\n' }, 'parcels');
  const index = async () => {
    const session = await open(t, repo);
    await indexRef(session, {});
    await warmSearch(session);
    return session;
  };
  const first = await index();
  assert.equal(kept(first), 0);
  await historyScores(first, repo.git('rev-parse', 'HEAD'));
  assert.equal(kept(first), 1);

  const tip = repo.commit({ 'b.js': 'const b = 1;\n' }, 'islands');
  assert.equal(kept(await index()), 2);
  // A process of its own asks git nothing any more.
  const next = await open(t, repo);
  const commands = commandsOf(next);
  const scores = (await historyScores(next, tip))(tip, { terms: [{ term: 'island', df: 1 }] } as never);
  assert.ok(scores?.history && scores.history('b.js') > 0);
  assert.equal(scores.history('a.js'), 0);
  const near = scores.changes?.();
  assert.ok(near && near('b.js') > near('a.js'));
  assert.deepEqual(commands, []);
});

test('a shallow clone keeps its subjects like any other, and reads more once it has more', async (t) => {
  const origin = createRepo();
  for (const [i, subject] of ['parcels', 'islands', 'harbors'].entries())
    origin.commit({ [`${subject}.js`]: `const n = ${i};\n` }, subject);
  const shallow = new TestRepo(join(makeDirectory(), 'shallow'));
  runGit(['clone', '-q', '--depth=2', `file://${origin.dir}`, shallow.dir], { cwd: origin.dir });
  const tip = shallow.git('rev-parse', 'HEAD');
  const ask = async () => {
    const session = await open(t, shallow);
    const commands = commandsOf(session);
    const scores = await historyScores(session, tip);
    const scoreOf = (term: string, path: string) => scores(tip, { terms: [{ term, df: 1 }] } as never)?.history?.(path);
    return { commands, found: [scoreOf('harbor', 'harbors.js'), scoreOf('island', 'islands.js')].map(Boolean) };
  };
  assert.deepEqual((await ask()).found, [true, false], 'what the oldest commit changed is not known');
  assert.deepEqual(await ask(), { commands: [], found: [true, false] });
  shallow.git('fetch', '-q', '--unshallow');
  assert.deepEqual((await ask()).found, [true, true]);
});

test('no search compares commits line by line: an index run does once a search has read the history, the new ones alone', async (t) => {
  const repo = createRepo();
  const tips = [repo.commit({ 'a.js': 'const a = 1;\n' }, 'parcels')];
  const session = await open(t, repo);
  const commands = commandsOf(session);
  await indexRef(session, {});
  await warmMessages(session, tips[0]);
  assert.equal(kept(session, 'messages'), 0, 'nobody has searched');
  const field = async () => {
    const live = (await new Corpora(session).of(await session.origin())).corpus.live;
    const external = await readExternalText(session, {}, await openTarget(session, {}));
    assert.equal(external.messages(tips[0].replace(/./g, '0'), live), undefined, 'HEAD has moved');
    const found: number[] = [];
    external.messages(tips.at(-1) as string, live)?.each('island', (document) => found.push(document));
    return found.length;
  };
  assert.equal(await field(), 0);
  assert.ok(!commands.includes('diff-tree -U0'));
  await warmMessages(session, tips[0]);
  assert.equal(kept(session, 'messages'), 1);
  tips.push(repo.commit({ 'b.js': 'const b = 1;\n' }, 'islands'));
  await indexRef(session, {});
  assert.equal(await field(), 0, 'no messages of another commit');
  await warmMessages(session, tips[1]);
  assert.equal(await field(), 1);
  assert.deepEqual(commands.filter((command) => command === 'diff-tree -U0').length, 2);
  await warmMessages(session, tips[1]);
  assert.equal(commands.filter((command) => command === 'diff-tree -U0').length, 2);
});

test('scores are of one commit: where HEAD has moved since, there are none', async (t) => {
  const repo = createRepo();
  const tip = repo.commit({ 'a.js': 'const a = 1;\n' }, 'parcels');
  const later = repo.commit({ 'a.js': 'const a = 2;\n' }, 'islands');
  const session = await open(t, repo);
  const scores = await historyScores(session, tip);
  const lexical = { terms: [{ term: 'parcel' }] } as never;
  assert.ok((scores(tip, lexical)?.history?.('a.js') ?? 0) > 0);
  assert.deepEqual([scores(later, lexical), scores(null, lexical)], [null, null]);
});

test('the subjects of the last twelve snapshots are kept', async (t) => {
  const repo = createRepo();
  const session = await open(t, repo);
  for (let i = 0; i < 15; i++) {
    const tip = repo.commit({ 'a.js': `const a = ${i};\n` }, `change ${i}`);
    await historyScores(session, tip);
    await keepSubjects(session, tip);
  }
  assert.equal(kept(session), 12);
});
