/** What other users, clocks, sizes and variables around a repository do to it; each accident once. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { canMount, onFullTemporary } from '../support/faults/small-disks.js';
import { CLI, cli, cliJson } from '../support/processes/cli.js';
import { outputOf } from '../support/processes/output.js';
import { createRepo, makeDirectory, runGit, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

interface Found {
  results: { path: string }[];
}
const found = async (dir: string, query: string, env: NodeJS.ProcessEnv = {}) =>
  (await cliJson<Found>(['search', query], { cwd: dir, env })).results.map(({ path }) => path);

/** Environment of a process whose calendar is `years` ahead. */
function yearsAhead(years: number): NodeJS.ProcessEnv {
  const path = join(makeDirectory('clock'), 'clock.cjs');
  const shift = Math.round(years * 365.25 * 86_400_000);
  writeFileSync(
    path,
    `const Real = Date;
globalThis.Date = class extends Real {
  constructor(...args) { args.length === 0 ? super(Real.now() + ${shift}) : super(...args); }
  static now() { return Real.now() + ${shift}; }
};\n`,
  );
  return { NODE_OPTIONS: `--require ${path}` };
}

test('a clock that jumps by 20 years, forth and back, hides no commit and no edit', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export function alphaThing() {}\n' });
  for (const [i, years] of [20, -20, 0].entries()) {
    const env = yearsAhead(years);
    assert.equal((await cli(['index'], { cwd: repo.dir, env })).code, 0);
    repo.commit({ [`step${i}.ts`]: `export function stepThing${i}() {}\n` });
    repo.write({ 'a.ts': `export function alphaThing() {}\nexport function editThing${i}() {}\n` });
    assert.equal((await found(repo.dir, `stepThing${i}`, env))[0], `step${i}.ts`, `${years} years ahead`);
    assert.equal((await found(repo.dir, `editThing${i}`, env))[0], 'a.ts', `${years} years ahead`);
    repo.git('checkout', '-q', 'a.ts');
  }
  assert.equal((await cli(['fsck'], { cwd: repo.dir })).code, 0);
});

const QUESTIONS = [
  ...['search rememberToken', 'search --commits change', 'grep rememberToken', 'show src/session.ts', 'status'],
  ...['history rememberToken', 'why src/session.ts:1', 'diff HEAD~1 HEAD', 'graph deps src/session.ts', 'graph flow'],
  ...[
    'graph impact rememberToken',
    'pack rememberToken --max-tokens 1000',
    'review HEAD~1..HEAD',
    'owners',
    'coupling src',
  ],
  ...['hotspots', 'similar src/session.ts:1', 'explain src/session.ts', 'docs drift', 'conflicts', 'fsck', 'index'],
];

const EMPTY = new Set(['graph flow', 'graph impact rememberToken', 'coupling src', 'conflicts']);

test('each question is answered while HEAD is amended and git gc removes what it named', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  repo.commit({ 'b.ts': 'export const b = 1;\n' });
  await cli(['index'], { cwd: repo.dir });
  let isDone = false;
  let rounds = 0;
  const git = (...args: string[]) => outputOf(spawn('git', args, { cwd: repo.dir, stdio: 'pipe' }));
  const storm = (async () => {
    while (!isDone) {
      await git('commit', '-q', '--amend', '--allow-empty', '-m', `change ${++rounds}`);
      await git('reflog', 'expire', '--expire=now', '--all');
      await git('gc', '-q', '--prune=now');
    }
  })();
  const failed: string[] = [];
  for (const question of QUESTIONS) {
    const { code, stderr } = await cli(question.split(' '), { cwd: repo.dir });
    // 1: nothing was found, which is an answer to four of them.
    if (code !== 0 && !(code === 1 && EMPTY.has(question))) failed.push(`${question}: ${code} ${stderr}`);
  }
  isDone = true;
  await storm;
  assert.ok(rounds > 3, `only ${rounds} rounds`);
  assert.deepEqual(failed, []);
});

/** The long form, by hand: REFS=1000000. */
const REFS = Number(process.env.REFS ?? 100_000);

test(`${REFS} refs in packed-refs slow no question of one of them down to a stop`, async () => {
  const repo = createRepo();
  const head = repo.commit(PROJECT);
  const lines = Array.from({ length: REFS }, (_, i) => `${head} refs/heads/b${String(i).padStart(7, '0')}\n`);
  writeFileSync(
    join(repo.commonDir, 'packed-refs'),
    `# pack-refs with: peeled fully-peeled sorted \n${lines.join('')}`,
  );
  assert.deepEqual((await found(repo.dir, 'SessionStore')).slice(0, 1), ['src/session.ts']);
  for (const line of ['search SessionStore --ref b0000007', 'status', 'grep SessionStore --all-refs', 'profiles']) {
    const { code, stderr } = await cli(line.split(' '), { cwd: repo.dir });
    assert.equal(code, 0, `${line}: ${stderr}`);
  }
});

/** A branch of `count` commits, of which each changes one of ten files. */
function longHistory(repo: TestRepo, count: number): void {
  const parts: string[] = [];
  for (let i = 0; i < count; i++) {
    const text = `export function part${i % 10}() { return ${i}; }\n`;
    parts.push(
      `commit refs/heads/long\ncommitter C <c@example.com> ${1_500_000_000 + i * 60} +0000\ndata ${`step ${i}`.length}\nstep ${i}\n`,
      `M 100644 inline src/part${i % 10}.ts\ndata ${text.length}\n${text}\n`,
    );
  }
  repo.gitInput(parts.join(''), 'fast-import', '--quiet', '--force');
  repo.git('checkout', '-q', '-f', 'long');
}

test('a history of 20,000 commits is asked within its limits', async () => {
  const repo = createRepo();
  longHistory(repo, 20_000);
  assert.deepEqual((await found(repo.dir, 'part7')).slice(0, 1), ['src/part7.ts']);
  for (const line of ['why src/part7.ts:1', 'history part7', 'search --commits step', 'owners src', 'hotspots']) {
    const { code, stderr } = await cli(line.split(' '), { cwd: repo.dir });
    assert.equal(code, 0, `${line}: ${stderr}`);
  }
});

test('with a full place for temporary files questions are answered, or say what they left out', {
  skip: !canMount() && 'nothing can be mounted here',
}, () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  repo.write({ 'src/new.ts': 'export class Unsaved {}\n' });
  const questions = ['index', 'search SessionStore', 'search Unsaved', 'grep class', 'status', 'history SessionStore'];
  const results = onFullTemporary(
    repo,
    [...questions, 'graph stats', 'conflicts', 'fsck'].map((line) => line.split(' ')),
  );
  // 1: `conflicts` found none.
  for (const { code, stderr } of results) assert.ok(code === 0 || code === 1, stderr);
  assert.match(results[2].stdout, /src\/new\.ts/);
});

test('without HOME, or with git and Node variables that lead astray, the repository is the one around', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  const other = createRepo();
  other.commit({ 'other.ts': 'export class SessionStore {}\n' });
  const environments: NodeJS.ProcessEnv[] = [
    { HOME: undefined, USERPROFILE: undefined, XDG_STATE_HOME: undefined },
    { GIT_INDEX_FILE: join(other.commonDir, 'index') },
    { GIT_NAMESPACE: 'elsewhere' },
    { GIT_GRAFT_FILE: join(other.dir, 'other.ts'), GIT_REPLACE_REF_BASE: 'refs/heads/' },
    { GIT_TRACE: '1', GIT_TRACE2: '1', GIT_CURL_VERBOSE: '1' },
    { GIT_CEILING_DIRECTORIES: repo.dir, GIT_DISCOVERY_ACROSS_FILESYSTEM: '0' },
    { NODE_ENV: 'production', NODE_NO_WARNINGS: '1', NODE_PENDING_DEPRECATION: '1', UV_THREADPOOL_SIZE: '1' },
    { LC_ALL: 'tr_TR.UTF-8', TZ: 'Pacific/Kiritimati', COLUMNS: '1', TERM: 'dumb' },
  ];
  for (const env of environments)
    assert.deepEqual((await found(repo.dir, 'SessionStore', env)).slice(0, 1), ['src/session.ts'], JSON.stringify(env));
});

/** The command line run by another user of this machine. */
function cliOf(uid: number, gid: number, home: string, args: readonly string[], cwd: string, umask = '022') {
  const child = spawn('sh', ['-c', `umask ${umask}; exec "$@"`, 'sh', process.execPath, CLI, ...args], {
    cwd,
    uid,
    gid,
    stdio: 'pipe',
    env: { ...process.env, HOME: home, GIT_CONFIG_GLOBAL: join(home, 'config'), TMPDIR: home },
  });
  return outputOf(child);
}

const [OWNER, GUEST, GROUP] = [61_001, 61_002, 61_003];

test('two users of one repository: no trust without safe.directory, and neither locks the other out', {
  skip: process.getuid?.() !== 0 && 'needs root to be two users',
}, async () => {
  const root = makeDirectory('shared');
  // The directory of all test repositories is closed to other users.
  for (let at = root; at !== '/tmp' && at !== '/'; at = join(at, '..')) chmodSync(at, 0o755);
  const dir = join(root, 'repo');
  runGit(['init', '-q', '--shared=group', dir], { cwd: root });
  const repo = createRepo({ directory: dir });
  repo.commit(PROJECT);
  const homes = [OWNER, GUEST].map((uid) => {
    const home = makeDirectory('home');
    chownSync(home, uid, GROUP);
    return home;
  });
  for (const entry of ['.', ...(readdirSync(dir, { recursive: true }) as string[])])
    chownSync(join(dir, entry), OWNER, GROUP);
  const refused = await cliOf(GUEST, GROUP, homes[1], ['search', 'SessionStore'], dir);
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /belongs to another user[\s\S]*safe\.directory/);
  assert.ok(!existsSync(join(dir, '.git', 'socraticode')), 'nothing is written before there is trust');
  writeFileSync(join(homes[1], 'config'), `[safe]\n\tdirectory = ${dir}\n`);
  for (const [uid, home] of [
    [OWNER, homes[0]],
    [GUEST, homes[1]],
    [OWNER, homes[0]],
  ] as const) {
    const { code, stdout, stderr } = await cliOf(uid, GROUP, home, ['search', 'SessionStore'], dir, '077');
    assert.equal(code, 0, `${uid}: ${stderr}`);
    assert.match(stdout, /^src\/session\.ts/);
  }
});
