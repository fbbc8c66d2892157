/** Subjects of commits are made ahead by an index run, once a search has read the history, and found again by the next process. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { indexRef } from '../../../src/session/indexing/index-operation.js';
import { historyScores, keepSubjects } from '../../../src/session/search/external-text.js';
import { Session } from '../../../src/session/session.js';
import { warmSearch } from '../../../src/session/warm.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

async function open(t: TestContext, repo: TestRepo): Promise<Session> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return session;
}

function kept({ shards: { directory } }: Session): number {
  return readdirSync(directory).filter((name) => name.startsWith('subjects-')).length;
}

/** Commands of git that a session starts from now on. */
function commandsOf({ repository: { git } }: Session): string[] {
  const commands: string[] = [];
  const spawn = git.spawn.bind(git);
  git.spawn = (args, options) => {
    commands.push(args[0]);
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
