/** Words of a command line: global options anywhere, groups left out, help of members, exit codes and failures as JSON. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { errorDocument, exitCodeOf, loadCommands } from '../../src/cli/program.js';
import { answer } from '../support/in-process/answer.js';
import { createRepo } from '../support/repositories/repo.js';

const repo = createRepo();
repo.commit({ 'a.ts': 'export function alpha(): void {}\nalpha();\n' }, 'first');
const run = async (...words: string[]) => {
  const { code, stdout, stderr } = await answer(words);
  return { code, stdout, stderr };
};

test('global options may stand anywhere before "--", also joined to their value', async () => {
  const there = await run('-C', repo.dir, 'graph', 'symbols', 'alpha', '--json');
  assert.equal(there.code, 0, there.stderr);
  for (const words of [
    ['graph', 'symbols', 'alpha', '--json', '-C', repo.dir],
    ['graph', '-C', repo.dir, 'symbols', '--color=never', 'alpha', '--json'],
    ['-C', repo.dir, '--no-pager', 'symbols', 'alpha', '--json'],
  ])
    assert.equal((await run(...words)).stdout, there.stdout, words.join(' '));
  const behind = await run('-C', repo.dir, 'symbols', '--', '-C');
  assert.deepEqual([behind.code, /no symbols/.test(behind.stdout)], [1, true]);
});

test('exit codes: found, nothing found, failure; a failure is a document where JSON is wanted', async () => {
  assert.equal((await run('-C', repo.dir, 'symbols', 'zzz')).code, 1);
  const failed = await run('-C', repo.dir, 'graph', 'deps', 'none.ts', '--json');
  const { schemaVersion, error } = JSON.parse(failed.stdout);
  assert.deepEqual([failed.code, schemaVersion, error.code], [2, 1, 'BAD_ARGUMENT']);
  assert.match(failed.stderr, /^git-socraticode: no file none\.ts .*\n {2}\S/);
  const plain = await run('-C', repo.dir, 'graph', 'deps', '--', 'none.ts', '--json');
  assert.deepEqual([plain.code, plain.stdout], [2, '']);
  const outside = await run('-C', '/', 'status');
  assert.deepEqual(
    [outside.code, /\n {2}Run inside a git repository, or name one with -C DIR\.\n$/.test(outside.stderr)],
    [2, true],
  );
  assert.deepEqual([exitCodeOf('SIGINT'), exitCodeOf('SIGTERM')], [130, 143]);
  assert.equal(
    errorDocument({ code: 'DISK', message: 'a\nb', hint: 'c' }),
    '{"schemaVersion":1,"error":{"code":"DISK","message":"a\\nb","hint":"c"}}\n',
  );
});

test('a command that writes and that a signal ends says so by the exit code of that signal', {
  timeout: 60_000,
}, async () => {
  const heard = process.listeners('unhandledRejection');
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    const fresh = createRepo();
    fresh.commit({ 'a.ts': 'export const a = 1;\n' });
    const listening = process.listenerCount(signal);
    const ended = run('-C', fresh.dir, 'index');
    while (process.listenerCount(signal) === listening) await turn();
    process.emit(signal, signal);
    assert.equal((await ended).code, code);
  }
  for (const listener of process.listeners('unhandledRejection'))
    if (!heard.includes(listener)) process.off('unhandledRejection', listener);
});

test('help of a member, of a group, of all, and of the commands that come first', async () => {
  const member = (await run('help', 'graph', 'impact')).stdout;
  assert.match(member, /^Usage: git socraticode graph impact /);
  for (const words of [
    ['help', 'impact'],
    ['graph', 'impact', '--help'],
    ['impact', '-h'],
  ])
    assert.equal((await run(...words)).stdout, member, words.join(' '));
  const [first, all] = [(await run('--help')).stdout, (await run('help', '--all')).stdout];
  assert.ok(/^ {2}search /m.test(first) && !/^ {2}fsck /m.test(first) && /Which to take:/.test(first));
  assert.ok(/^ {2}search /m.test(all) && /^ {2}fsck /m.test(all) && !/Which to take:/.test(all));
  assert.equal((await run('-v', 'help', '-a')).stdout, all);
  const headings = [...all.matchAll(/^([A-Z][\w ]+):$/gm)].map(([, name]) => name);
  assert.deepEqual(headings, [
    'Options',
    'Find code',
    'Follow code',
    'See changes',
    'Knowledge',
    'Index',
    'Share',
    'Agents',
    'Maintain',
  ]);
  assert.match((await run('--version')).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('only commands of the words are loaded; all of them for what is no command', async () => {
  const count = async (...words: string[]) => (await loadCommands(words)).length;
  assert.deepEqual([await count('search'), await count('graph', 'impact'), await count('-C', 'x', 'tag')], [1, 1, 1]);
  assert.ok((await count('nothing')) > 30);
  assert.equal(await count(), await count('nothing'));
});
