/** Help: of the program by purpose, of a command with examples, of a member by its two words. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { runCli } from '../../src/cli/program.js';
import { GROUPS } from '../../src/questions/question.js';
import { fakeIo } from './io.js';

async function help(...words: string[]): Promise<string> {
  let text = '';
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  assert.equal(await runCli(['node', 'git-socraticode', ...words], { ...fakeIo(), stdout }), 0, words.join(' '));
  return text;
}

test('help of a member names both words, wherever global options are typed', async () => {
  const usage = 'Usage: git socraticode graph impact [options] [target]';
  for (const words of [
    ['help', 'graph', 'impact'],
    ['graph', 'impact', '--help'],
    ['-v', 'help', 'graph', 'impact'],
    ['help', 'impact'],
    ['-v', 'impact', '--help'],
  ])
    assert.ok((await help(...words)).startsWith(usage), words.join(' '));
  assert.ok((await help('help', 'graph')).startsWith('Usage: git socraticode graph [options] [command]'));
});

test('a command that programs start is in no list, and has its help all the same', async () => {
  for (const [group, hidden, shown] of [
    ['hooks', 'run', 'install'],
    ['agents', 'annotate', 'install'],
  ]) {
    const names = [...(await help(group, '--help')).matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
    assert.deepEqual([names.includes(shown), names.includes(hidden)], [true, false], names.join(' '));
    assert.ok((await help(group, hidden, '--help')).startsWith(`Usage: git socraticode ${group} ${hidden}`));
  }
});

test('help of a command ends with its examples', async () => {
  assert.match(
    await help('graph', 'impact', '--help'),
    /\nExamples:\n( {2}git socraticode graph impact.* {2}# .+\n){2,}/,
  );
});

test('help of the program has the commands that a newcomer needs, how to choose, and where the others are', async () => {
  const text = await help('--help');
  const commands = [...text.matchAll(/^ {2}([a-z]+) {2,}/gm)].map(([, name]) => name);
  assert.ok(
    ['search', 'graph', 'review', 'status'].every((name) => commands.includes(name)),
    commands.join(' '),
  );
  assert.ok(commands.length <= 15 && !commands.includes('fsck'), commands.join(' '));
  assert.match(text, /`review` judges it/);
  assert.match(text, /`git socraticode help --all` lists all commands/);
});

test('help of all commands lists them under their purpose, a short line each, in the order of the purposes', async () => {
  const text = await help('help', '--all');
  assert.equal(await help('--help', '-a'), text);
  assert.equal(await help('-C', '.', 'help', '--all'), text);
  assert.match(text, /\n {2}fsck /);
  const at = GROUPS.map((group) => text.indexOf(`\n${group}:\n`)).filter((position) => position >= 0);
  assert.ok(at.length > 0);
  assert.deepEqual(
    at,
    [...at].sort((a, b) => a - b),
  );
  assert.match(text, /\n {2}graph {2,}ask who imports/);
  assert.doesNotMatch(text, /\[options\] </);
});
