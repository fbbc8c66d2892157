/** `history` from the command line: where code came from and where it went. */
import assert from 'node:assert/strict';
import { Readable, Writable } from 'node:stream';
import { test } from 'node:test';
import { type Io, runCli } from '../../src/cli/program.js';
import { type HistoryResponse, historyResponseSchema } from '../../src/questions/history/question.js';
import type { CommitsDocument } from '../../src/questions/search/output.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { cloneRepo, createRepo, type TestRepo } from '../support/repositories/repo.js';

const retry = (body: string) =>
  `/** Tries again with exponential backoff. */\nexport function retryRequest(times: number): number {\n  ${body}\n}\n`;
const other = (name: string) => `export function ${name}(a: number): number {\n  return a + ${name.length};\n}\n`;

const repo = createRepo();
const at: Record<string, string> = {};
at.root = repo.commit({ 'src/a.ts': other('start') }, 'root');
at.appeared = repo.commit({ 'src/net.ts': `${other('before')}\n${retry('return times * 2;')}` }, 'add retryRequest');
at.unrelated = repo.commit({ 'src/net.ts': `${other('before2')}\n${retry('return times * 2;')}` }, 'unrelated');
at.changed = repo.commit({ 'src/net.ts': `${other('before2')}\n${retry('return times ** 2;')}` }, 'square');
repo.write({ 'src/net.ts': other('before2') });
at.moved = repo.commit({ 'src/backoff.ts': retry('return times ** 2;') }, 'move it');
at.used = repo.commit({ 'src/a.ts': `${other('start')}\nexport const uses = () => net.retryRequest(3);\n` }, 'use it');
repo.git('rm', '-q', 'src/backoff.ts');
at.gone = repo.commit({}, 'remove \x1b[31mit');
at.last = repo.commit({ 'src/z.ts': other('zed') }, 'last');

const ask = async (of: TestRepo, ...args: string[]): Promise<HistoryResponse> =>
  check(historyResponseSchema, await cliJson(['history', ...args], { cwd: of.dir }));

test('a deleted symbol: every event, through a move, and how to see its text', async () => {
  const { kind, window, results } = await ask(repo, 'retryRequest');
  assert.deepEqual([kind, window.complete, results.length], ['symbol', true, 1]);
  const [result] = results;
  assert.deepEqual([result.symbol, result.present, result.path], ['retryRequest', false, 'src/backoff.ts']);
  assert.deepEqual(result.paths, ['src/backoff.ts', 'src/net.ts']);
  assert.deepEqual(
    result.events.map(({ type, commit, from }) => [type, commit, from]),
    [
      ['disappeared', at.gone, undefined],
      ['moved', at.moved, 'src/net.ts'],
      ['changed', at.changed, undefined],
      ['appeared', at.appeared, undefined],
    ],
  );
  assert.deepEqual(
    [result.firstAppeared?.commit, result.lastChanged?.commit, result.disappeared?.commit],
    [at.appeared, at.changed, at.gone],
  );
  assert.match(result.content ?? '', /times \*\* 2/);
  assert.match(repo.git('show', result.show ?? ''), /retryRequest/);
  assert.ok(!result.events.some(({ commit }) => commit === at.used || commit === at.unrelated));
});

test('words find deleted code, and follow it through the same events', async () => {
  const { kind, results } = await ask(repo, 'exponential backoff of requests', '--deleted', '--limit', '1');
  assert.deepEqual([kind, results[0]?.symbol, results[0]?.present], ['natural', 'retryRequest', false]);
  assert.equal(results[0].firstAppeared?.commit, at.appeared);
  assert.equal(results[0].disappeared?.commit, at.gone);
});

test('at an older ref it is present; text, exit code and escaped subjects', async () => {
  const [old] = (await ask(repo, 'retryRequest', '--ref', at.changed)).results;
  assert.deepEqual(
    [old.present, old.path, old.disappeared, old.show],
    [true, 'src/net.ts', null, `${at.changed}:src/net.ts`],
  );
  const { code, stdout, stderr } = await cli(['history', 'retryRequest', '--events'], { cwd: repo.dir });
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(
    stdout,
    /^src\/backoff\.ts {2}retryRequest {2}function {2}deleted\n {2}first appeared +[0-9a-f]{9} 2024-01-02 add retryRequest \(A U Thor\)/,
  );
  assert.ok(stdout.includes('remove \\x1b[31mit') && !stdout.includes('\x1b[31m'));
  assert.match(stdout, new RegExp(`git show ${at.used.slice(0, 12)}:src/backoff\\.ts`));
});

test('a name that was never defined is exit code 1, with names like it; other case is found', async () => {
  await cli(['index'], { cwd: repo.dir });
  const never = await cli(['history', 'strat'], { cwd: repo.dir });
  assert.equal(never.code, 1);
  assert.match(never.stdout, /never defined[\s\S]*did you mean start\?/);
  const other = await ask(repo, 'RETRYREQUEST');
  assert.deepEqual([other.ignoredCase, other.results[0]?.symbol], [true, 'retryRequest']);
});

test('a path is told what answers for it: by a file, a directory, the end of a path, and one that is gone', async () => {
  const paths = {
    'src/net.ts': 'src/net.ts',
    src: null,
    'src/': 'src/',
    'net.ts': 'src/net.ts',
    'src/backoff.ts': 'src/backoff.ts',
  };
  for (const [typed, path] of Object.entries(paths)) {
    const { code, stderr } = await cli(['history', typed], { cwd: repo.dir });
    if (path === null) assert.doesNotMatch(stderr, /is a path/, typed);
    else {
      assert.equal(code, 2, typed);
      assert.ok(stderr.includes(`${typed} is a path, and history is about`), stderr);
      assert.ok(stderr.includes(`git log --follow -- ${path};`), stderr);
    }
  }
});

test('a window that ends early says so instead of naming an origin', async () => {
  const { window, results } = await ask(repo, 'start', '--max-commits', '2');
  assert.deepEqual([window.commits, window.complete, window.end], [2, false, 'max-commits']);
  assert.deepEqual([results[0]?.firstAppeared, results[0]?.present], [null, true]);
  const { stdout } = await cli(['history', 'start', '--max-commits', '2'], { cwd: repo.dir });
  assert.match(stdout, /in or before [0-9a-f]{9}[\s\S]*searched 2 commits: --max-commits/);
  const shallow = await ask(cloneRepo(repo, '--depth=1'), 'start');
  assert.deepEqual([shallow.window.end, shallow.results[0]?.firstAppeared], ['shallow', null]);
  const lost = await cli(['history', 'retryRequest'], { cwd: cloneRepo(repo, '--depth=1').dir });
  assert.equal(lost.code, 1);
  assert.match(
    lost.stdout,
    /^retryRequest was not found; it may be defined in the commits before those of this shallow clone: not searched$/m,
  );
});

test('bad input is exit code 2', async () => {
  const bad = [[''], ['x', '--ref', 'no-such'], ['x', '--ref', 'HEAD^{tree}'], ['x', '--limit', '0']];
  for (const args of [...bad, ['x', '--max-commits', '-3'], ['x', '--since', 'gibberish']]) {
    const { code, stdout, stderr } = await cli(['history', ...args], { cwd: repo.dir });
    assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    assert.doesNotMatch(stderr, /bug in git-socraticode/, args.join(' '));
  }
});

test('branches: code dropped by a merge alone, code removed on one side, a revert', async () => {
  const dag = createRepo();
  dag.commit({ 'a.ts': other('base') }, 'base');
  dag.git('checkout', '-q', '-b', 'side');
  const born = dag.commit({ 'side.ts': other('dropped') }, 'side work');
  dag.git('checkout', '-q', 'main');
  const shy = dag.commit({ 'b.ts': other('phoenix') }, 'phoenix');
  dag.git('rm', '-q', 'b.ts');
  dag.commit({}, 'kill phoenix');
  dag.git('revert', '--no-edit', 'HEAD');
  dag.git('merge', '-q', '-s', 'ours', '-m', 'merge ours', 'side');
  const merge = dag.git('rev-parse', 'HEAD');
  const [dropped] = (await ask(dag, 'dropped')).results;
  assert.deepEqual([dropped.firstAppeared?.commit, dropped.present], [born, false]);
  assert.deepEqual([dropped.disappeared?.commit, dropped.disappeared?.merge], [merge, true]);
  assert.match(dag.git('show', dropped.show ?? ''), /dropped/);
  const [phoenix] = (await ask(dag, 'phoenix')).results;
  assert.deepEqual(
    [phoenix.present, phoenix.firstAppeared?.commit, phoenix.events.map(({ type }) => type)],
    [true, shy, ['appeared', 'disappeared', 'appeared']],
  );
});

test('secret files of the past stay out; a partial clone counts what it lacks', async () => {
  const past = createRepo();
  past.commit({ '.env': 'export function hidden() {}\n', 'a.ts': other('seen') });
  past.git('rm', '-q', '.env');
  past.commit({ 'a.ts': `${other('seen')}\n${other('more')}` });
  assert.equal((await cli(['history', 'hidden'], { cwd: past.dir })).code, 1);
  past.git('config', 'uploadpack.allowFilter', 'true');
  const clone = cloneRepo(past, '--filter=blob:none', '--no-checkout');
  const { code, stdout, stderr } = await cli(['history', 'seen'], { cwd: clone.dir });
  assert.deepEqual([code, stderr], [1, '']);
  assert.match(
    stdout,
    /^seen was not found; it may be defined in \d versions? of files that this clone lacks: not searched$/m,
  );
});

test('overloads have histories of their own: what changes one changes no other', async () => {
  const java = createRepo();
  const body = (...methods: string[]) => `class Cart {\n${methods.map((text) => `  ${text}\n`).join('')}}\n`;
  const one = 'int add(int count) { return total(count, "each"); }';
  const two = 'int add(int count, String name) { return find(name).put(count); }';
  const commits: string[] = [];
  for (const [i, methods] of [
    [one],
    [one, two],
    [one, two.replace('put', 'push')],
    [one.replace('int count', 'long count'), two.replace('put', 'push')],
    ['int add() { return 1; }', two.replace('put', 'push')],
    [two.replace('put', 'push')],
  ].entries())
    commits.push(java.commit({ 'Cart.java': body(...methods) }, `step ${i}`));
  const { results } = await ask(java, 'Cart.add');
  const told = results.map(({ present, events }) => [
    present,
    events.map(({ type, commit, parts, from }) => [type, commits.indexOf(commit), parts, from]),
  ]);
  assert.deepEqual(told, [
    [
      true,
      [
        ['changed', 2, ['body'], undefined],
        ['appeared', 1, undefined, undefined],
      ],
    ],
    [
      false,
      [
        ['disappeared', 5, undefined, undefined],
        ['changed', 4, ['signature'], undefined],
        ['changed', 3, ['signature'], undefined],
        ['appeared', 0, undefined, undefined],
      ],
    ],
  ]);
});

test('declarations that share a body are one definition', async () => {
  const typed = createRepo();
  const text = (last: string) =>
    `export function add(a: string): void;\nexport function add(a: number): void;\nexport function add(a: unknown): void {\n  ${last};\n}\n`;
  typed.commit({ 'a.ts': text('put(a)') }, 'add');
  const changed = typed.commit({ 'a.ts': text('push(a)') }, 'change');
  const { results } = await ask(typed, 'add');
  assert.equal(results.length, 1);
  assert.deepEqual([results[0].lastChanged?.commit, results[0].changes], [changed, 1]);
});

test('a definition is found though its name stood in equally many lines before and after', async () => {
  const made = createRepo();
  const use = 'run(deep);\n';
  made.commit({ 'src/a.ts': use }, 'a use');
  const defined = made.commit({ 'src/a.ts': 'export function deep() { return deep; }\n' }, 'defined in that line');
  const gone = made.commit({ 'src/a.ts': use }, 'a use again');
  made.commit({ 'src/a.ts': 'other();\n' }, 'no use');
  const [result] = (await ask(made, 'deep')).results;
  assert.deepEqual([result?.firstAppeared?.commit, result?.disappeared?.commit], [defined, gone]);
});

test('a terminal hears at once where a name is defined, then which commits brought it; JSON and pipes hear nothing', async () => {
  const told = async (isTTY: boolean, ...more: string[]) => {
    let text = '';
    const stream = () => Object.assign(new Writable({ write: (_chunk, _encoding, done) => done() }), { isTTY });
    const write = (chunk: Buffer, _encoding: string, done: () => void) => {
      text += chunk;
      done();
    };
    const stderr = Object.assign(new Writable({ write }), { isTTY });
    const io: Io = { stdout: stream(), stderr, stdin: Readable.from([]), env: { ...process.env, PAGER: '' } };
    assert.equal(await runCli(['node', 'git-socraticode', '-C', repo.dir, 'history', ...more], io), 0);
    return text;
  };
  await cli(['index'], { cwd: repo.dir });
  const now = await told(true, 'start');
  assert.ok(now.indexOf('defined now in src/a.ts') < now.indexOf(`found in ${at.root.slice(0, 9)}`), now);
  assert.match(now, /defined now in src\/a.ts\n/);
  const gone = await told(true, 'retryRequest');
  assert.doesNotMatch(gone, /defined now/);
  assert.match(gone, new RegExp(`found in ${at.appeared.slice(0, 9)} \\d{4}-\\d\\d-\\d\\d src/net.ts`));
  assert.equal(await told(false, 'start'), '');
  assert.doesNotMatch(await told(true, 'start', '--json'), /defined now|found in/);
});

test('--all-refs: what other branches and tags did, each commit once and named where the ref lacks it', async () => {
  const of = createRepo();
  const root = of.commit({ 'src/net.ts': retry('return times;') }, 'root');
  of.git('checkout', '-q', '-b', 'fix');
  const fixed = of.commit({ 'src/net.ts': retry('return times + 1;') }, 'fix it');
  const probed = of.commit({ 'src/probe.ts': other('probeOnly') }, 'probe');
  of.git('branch', 'fix-too');
  of.git('checkout', '-q', '--detach', 'main');
  const tagged = of.commit({ 'src/old.ts': other('tagOnly') }, 'released');
  of.git('tag', 'v1');
  of.git('checkout', '-q', 'main');
  const moved = of.commit({ 'src/net.ts': '', 'src/retry.ts': retry('return times;') }, 'move it');
  of.git('branch', 'merged');

  const [result] = (await ask(of, 'retryRequest', '--all-refs', '--events')).results;
  assert.deepEqual(
    result.events.map(({ commit, type, refs }) => [commit, type, refs]).sort(),
    [
      [fixed, 'changed', ['fix', 'fix-too']],
      [moved, 'moved', undefined],
      [root, 'appeared', undefined],
    ].sort(),
  );
  assert.equal(result.present, true);

  const probe = await ask(of, 'probeOnly', '--all-refs');
  assert.deepEqual([probe.window.refs, probe.results.length], [3, 1]);
  assert.deepEqual([probe.results[0].present, probe.results[0].elsewhere], [false, ['fix', 'fix-too']]);
  assert.match(of.git('show', probe.results[0].show ?? ''), /probeOnly/);
  assert.equal((await cli(['history', 'probeOnly', '--all-refs', '--deleted'], { cwd: of.dir })).code, 1);
  assert.deepEqual((await ask(of, 'tagOnly', '--all-refs')).results[0].firstAppeared?.refs, ['v1']);

  const { stdout } = await cli(['history', 'probeOnly', '--all-refs', '--no-content'], { cwd: of.dir });
  assert.match(stdout, /^src\/probe\.ts {2}probeOnly {2}function {2}only on fix, fix-too$/m);
  assert.ok(
    stdout.includes(`first appeared ${probed.slice(0, 9)}`) && stdout.includes('probe (A U Thor) on fix, fix-too'),
  );
  assert.match(stdout, /walked the ref and 3 branches and tags beside it/);

  const path = await cliJson<CommitsDocument>(['history', 'src/retry.ts', '--all-refs', '--json'], { cwd: of.dir });
  assert.deepEqual(
    path.results.map(({ commit }) => commit),
    [moved],
  );
  const both = await cliJson<CommitsDocument>(['history', 'src', '--all-refs', '--json'], { cwd: of.dir });
  assert.deepEqual(
    both.results.map(({ commit, refs }) => [commit, refs]).sort(),
    [
      [root, undefined],
      [fixed, ['fix', 'fix-too']],
      [probed, ['fix', 'fix-too']],
      [tagged, ['v1']],
      [moved, undefined],
    ].sort(),
  );
  const words = await cli(['history', 'exponential backoff', '--all-refs'], { cwd: of.dir });
  assert.match(words.stderr, /words are searched in the history of one ref/);
});
