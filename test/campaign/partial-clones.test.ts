import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { IndexReport } from '../../src/questions/index/question.js';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { uniteFetched } from '../../src/session/records/bring-records.js';
import { enable, pullNotes } from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import { campaign } from '../support/campaigns/campaign.js';
import {
  askWatched,
  cloneOf,
  KINDS,
  makeHostile,
  missingIn,
  QUESTIONS,
  remoteOfClones,
} from '../support/campaigns/partial-clones.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';
import {
  blobOf,
  countRequests,
  NOTES_REF,
  note,
  noted,
  remoteWith,
  SELECTOR,
  sharedOf,
  texts,
} from '../support/repositories/share.js';
import { startServer } from '../support/servers/mcp.js';

const MCP: readonly (readonly [tool: string, args: Record<string, unknown>])[] = [
  ['codebase_search', { query: 'rememberToken' }],
  ['codebase_history', { query: 'rememberToken' }],
  ['codebase_symbol', { name: 'SessionStore' }],
  ['codebase_diff', { from: 'HEAD~1' }],
  ['codebase_conflicts', {}],
  ['codebase_pack', { task: 'remember a token' }],
  ['codebase_status', {}],
];
/** What a person can do about it. */
const NEXT_STEP = /git fetch --refetch --no-filter/;

interface Asked {
  questions: number;
  /** Git commands that were run for them. */
  commands: number;
  refused: number;
}

/** Whatever is asked of a clone that may not fetch: nothing is fetched, and what is missing is said. */
async function askAll(remote: TestRepo, kind: string, questions: typeof QUESTIONS, t: TestContext): Promise<Asked> {
  const clone = cloneOf(remote, kind);
  clone.git('config', 'socraticode.share.fetch', 'never');
  const missing = missingIn(clone);
  assert.ok(missing > 0, kind);
  const asked: Asked = { questions: 0, commands: 0, refused: 0 };
  const requests = countRequests(t);
  for (const question of questions) {
    const what = `${kind}: ${question.join(' ')}`;
    const { code, signal, stdout, stderr, fetches, commands } = await askWatched(clone, question);
    assert.deepEqual([signal, fetches, requests()], [null, 0, 0], what);
    assert.ok([0, 1, 2].includes(code as number), what);
    if (code === 2) {
      assert.match(stderr, /^git-socraticode: [^\n]+\n {2}[^\n]+\n$/, what);
      asked.refused++;
    }
    assert.doesNotMatch(stdout + stderr, /promisor|\bbug\b/, what);
    asked.questions++;
    asked.commands += commands;
  }
  assert.equal(missingIn(clone), missing, kind);
  await assertSaid(clone, kind);
  return asked;
}

/** Complete, or said to be partial with the next step. */
async function assertSaid(clone: TestRepo, kind: string): Promise<void> {
  const { code, stdout, stderr } = await cli(['search', 'rememberToken', '--committed', '--json'], { cwd: clone.dir });
  if (code === 2) {
    assert.match(stderr, NEXT_STEP, kind);
    return;
  }
  const { coverage, results } = JSON.parse(stdout) as SearchResponse;
  if (coverage.covered === coverage.total) {
    assert.equal(results[0]?.path, 'src/session.ts', kind);
    return;
  }
  const status = await cli(['status'], { cwd: clone.dir });
  assert.match(status.stdout, new RegExp(`${coverage.total - coverage.covered} unreadable`), kind);
  assert.match(status.stdout, NEXT_STEP, kind);
}

async function askServer(remote: TestRepo, kind: string, t: TestContext): Promise<number> {
  const clone = cloneOf(remote, kind);
  clone.git('config', 'socraticode.share.fetch', 'never');
  const missing = missingIn(clone);
  const requests = countRequests(t);
  const server = await startServer(t, clone.dir);
  for (const [tool, args] of MCP) await server.call(tool, args);
  await server.close();
  assert.deepEqual([requests(), missingIn(clone)], [0, missing], kind);
  return MCP.length;
}

/** The next step that is printed is one that helps. */
async function assertHelps(remote: TestRepo, kind: string): Promise<void> {
  const clone = cloneOf(remote, kind);
  clone.git('config', 'socraticode.share.fetch', 'never');
  clone.git('fetch', '-q', '--refetch', '--no-filter');
  const { coverage, results } = await cliJson<SearchResponse>(['search', 'rememberToken', '--committed'], {
    cwd: clone.dir,
  });
  assert.deepEqual([coverage.covered, results[0]?.path], [coverage.total, 'src/session.ts'], kind);
}

/** Where the remote has an index, the first search is one request for it and one for all the text; the next one none. */
async function findByFetching(remote: TestRepo, kind: string, t: TestContext, isLong: boolean): Promise<number> {
  const clone = cloneOf(remote, kind);
  const requests = countRequests(t);
  const find = () => cliJson<SearchResponse>(['search', 'rememberToken', '--committed'], { cwd: clone.dir });
  const { coverage, results } = await find();
  assert.deepEqual([coverage.covered, results[0]?.path], [coverage.total, 'src/session.ts'], kind);
  const first = requests();
  assert.ok(first <= 2, `${kind}: ${first} requests`);
  await find();
  assert.equal(requests(), first, kind);
  if (!isLong) return first;
  const report = await cliJson<IndexReport>(['index'], { cwd: clone.dir });
  assert.deepEqual([report.new, requests()], [0, first], kind);
  return first;
}

/** A shallow clone is as shallow as it was, after the index has come and gone. */
async function stayShallow(remote: TestRepo, t: TestContext): Promise<void> {
  const clone = cloneRepo(remote, '--depth=1');
  const boundary = () => readFileSync(join(clone.commonDir, 'shallow'), 'utf8');
  const before = boundary();
  const requests = countRequests(t);
  const report = await cliJson<IndexReport>(['index'], { cwd: clone.dir });
  assert.deepEqual([report.new, requests()], [0, 1]);
  assert.deepEqual([boundary(), clone.git('rev-list', '--count', 'HEAD')], [before, '1']);
}

/** Neither the promisor that a stranger's configuration names is asked, nor a command of it run. */
async function assertHarmless(questions: number): Promise<void> {
  const repo = createRepo();
  repo.commit(PROJECT);
  repo.git('remote', 'add', 'origin', `file://${createRepo({ bare: true }).dir}`);
  const { hasSung } = makeHostile(repo);
  const gone = blobOf(repo, 'src/session.ts');
  rmSync(join(repo.commonDir, 'objects', gone.slice(0, 2), gone.slice(2)));
  for (const question of QUESTIONS.slice(0, questions)) {
    const { fetches, code } = await askWatched(repo, question);
    assert.deepEqual([hasSung(), fetches], [false, 0], question.join(' '));
    assert.ok(code !== null && code <= 2);
  }
}

/** Objects that are simply gone: said, counted, and no crash. */
async function assertGone(): Promise<void> {
  const repo = createRepo();
  repo.commit(PROJECT);
  const remove = (oid: string) => rmSync(join(repo.commonDir, 'objects', oid.slice(0, 2), oid.slice(2)));
  remove(blobOf(repo, 'src/session.ts'));
  const report = await cliJson<IndexReport>(['index'], { cwd: repo.dir });
  assert.deepEqual([report.files, report.skipped.unreadable], [3, 1]);
  remove(repo.git('rev-parse', 'HEAD:src'));
  // What is cached of the snapshot would answer.
  rmSync(repo.state, { recursive: true });
  const { code, stderr } = await cli(['search', 'x'], { cwd: repo.dir });
  assert.equal(code, 2);
  assert.match(stderr, /^git-socraticode: [^\n]+\n {2}[^\n]*git fsck[^\n]*\n$/);
}

/** However the notes of a partial clone come, they come at once; and it can push records of blobs that it does not have. */
async function shareNotes(count: number, t: TestContext): Promise<void> {
  const { remote, clone } = remoteWith(texts(count));
  const blobs = Array.from({ length: count }, (_, i) => blobOf(clone, `f${i}.txt`)).sort();
  await note(clone, blobs);
  await pushNotes(await sharedOf(clone), 'origin', [SELECTOR]);
  clone.commit({ 'late.txt': 'late\n' });
  clone.git('push', '-q', 'origin', 'main');
  for (const how of ['pull', 'fetch, then pull', 'fetch alone'] as const) {
    const partial = cloneRepo(remote, '--filter=blob:none', '--no-checkout');
    const shared = await sharedOf(partial);
    if (how !== 'pull') {
      await enable(shared, 'origin');
      partial.git('fetch', '-q');
    }
    const requests = countRequests(t);
    const received =
      how === 'fetch alone'
        ? await uniteFetched(shared, [SELECTOR])
        : (await pullNotes(shared, 'origin', [SELECTOR])).received;
    assert.deepEqual([received, noted(partial)], [count, blobs], how);
    const args = ['rev-list', '--objects', '--missing=print', '--no-walk', NOTES_REF];
    assert.doesNotMatch(partial.git(...args), /^\?/m);
    // One fetch; where git brought the trees alone, one more for all notes.
    assert.ok(requests() <= (how === 'fetch, then pull' ? 2 : 1), `${how}: ${requests()} requests`);
    if (how !== 'pull') continue;
    await note(partial, [partial.git('rev-parse', 'HEAD:late.txt')]);
    const pushed = await pushNotes(shared, 'origin', [SELECTOR]);
    assert.deepEqual([pushed.sent, pushed.withheld], [1, 0]);
    assert.ok(requests() <= 3, `${requests()} requests`);
    remote.git('update-ref', NOTES_REF, `${NOTES_REF}~1`);
  }
}

campaign(
  'partial-clones',
  {
    bar: 'R8',
    claim: 'in partial clones no question fetches anything; a missing object is reported with a next step that helps',
    short: { kinds: 2, questions: 1, files: 5, notes: 12, servers: 0 },
    long: { kinds: Object.keys(KINDS).length, questions: QUESTIONS.length, files: 60, notes: 300, servers: 3 },
  },
  async ({ size, note: tell, t, isLong }) => {
    const remote = remoteOfClones(size.files);
    const kinds = Object.keys(KINDS).slice(0, size.kinds);
    const sum: Asked = { questions: 0, commands: 0, refused: 0 };
    for (const kind of kinds) {
      const asked = await askAll(remote, kind, QUESTIONS.slice(0, size.questions), t);
      for (const key of ['questions', 'commands', 'refused'] as const) sum[key] += asked[key];
      tell(`${kind}: ${asked.questions} questions`);
    }
    let served = 0;
    for (const kind of kinds.slice(0, size.servers)) served += await askServer(remote, kind, t);
    for (const kind of isLong ? kinds.filter((name) => !name.startsWith('shallow')) : kinds.slice(1))
      await assertHelps(remote, kind);
    await assertHarmless(size.questions);
    await assertGone();
    await shareNotes(size.notes, t);

    const publisher = cloneRepo(remote);
    await cliJson<IndexReport>(['index'], { cwd: publisher.dir });
    await cliJson(['push'], { cwd: publisher.dir });
    // Without its tree nobody knows which files HEAD has.
    const fetching = kinds.filter((kind) => kind !== 'without trees, not checked out');
    const first: number[] = [];
    for (const kind of fetching) first.push(await findByFetching(remote, kind, t, isLong));
    await stayShallow(remote, t);
    return {
      kindsOfClones: kinds.join('; '),
      questions: sum.questions,
      gitCommandsRunForThem: sum.commands,
      refusedWithNextStep: sum.refused,
      questionsToServers: served,
      requests: 0,
      triedFetches: 0,
      requestsOfFirstSearch: first.join(', '),
      requestsOfNextSearch: 0,
    };
  },
);
