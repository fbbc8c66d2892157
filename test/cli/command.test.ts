/** How a command reads the values of its options. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf } from '../../src/cli/command.js';
import type { CommandContext } from '../../src/cli/front-commands.js';
import { flag, list } from '../../src/params/param.js';
import type { AnyQuestion } from '../../src/questions/question.js';

const params = {
  lang: list({ summary: 'only these languages', commas: true }),
  glob: list({ summary: 'only these files' }),
  largest: flag({ summary: 'the largest first' }),
};
const question = { name: 'graph carts', summary: 'finds carts', params } as unknown as AnyQuestion;

/** Options of a command line. */
function read(...words: string[]) {
  const command = commandOf(question, {} as CommandContext);
  command.parseOptions(words);
  return command.opts();
}

test('entries of a list are separated by commas, with or without spaces, or given one by one', () => {
  for (const words of [['ts,py'], ['ts, py'], [' ts ,py '], [',ts,, py,']])
    assert.deepEqual(read('--lang', ...words).lang, ['ts', 'py'], words[0]);
  assert.deepEqual(read('--lang', 'ts', '--lang', 'py, go').lang, ['ts', 'py', 'go']);
  assert.deepEqual(read('--lang', ' , ').lang, []);
});

test('a list whose entries may hold commas takes each as it is typed', () => {
  assert.deepEqual(read('--glob', '*.{ts, py}', '--glob', ' a').glob, ['*.{ts, py}', ' a']);
});

test('the beginning of an option stands for it if no other begins so', () => {
  assert.deepEqual(read('--gl', '*.ts').glob, ['*.ts']);
  assert.deepEqual(read('--gl=*.ts').glob, ['*.ts']);
  assert.deepEqual(read('--la', 'ts'), {});
});
