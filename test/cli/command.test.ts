/** How a command reads the values of its options. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import type { CommandContext } from '../../src/cli/command.js';
import { commandOf } from '../../src/cli/command.js';
import { flag, integer, list, text } from '../../src/params/param.js';
import type { AnyQuestion } from '../../src/questions/question.js';
import { fakeIo } from './io.js';

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
  assert.deepEqual(read('--largest'), { largest: true });
  // Words behind `--` are none.
  const { operands } = commandOf(question, {} as CommandContext).parseOptions(['gl', '--', '--gl', 'x']);
  assert.deepEqual(operands, ['gl', '--gl', 'x']);
});

interface Ran {
  out: string;
  exits: number[];
  answered: number;
  asked: object[];
}

/** Runs a question that needs no repository; `document` is what it answers. */
async function run(document: object, command: object, ...words: string[]): Promise<Ran> {
  const ran: Ran = { out: '', exits: [], answered: 0, asked: [] };
  const io = fakeIo();
  const write = (chunk: Buffer, _: string, done: () => void) => {
    ran.out += chunk;
    done();
  };
  io.stdout = Object.assign(new Writable({ write }), { isTTY: false });
  const context = {
    ...{ io, directory: () => undefined, look: () => ({ pager: false }) },
    ...{ setExit: (code: number) => void ran.exits.push(code), markAnswered: () => void ran.answered++ },
  };
  const asked = {
    ...{ name: 'graph carts', summary: 'finds carts', effect: 'reads' },
    params: {
      query: text({ summary: 'words', cli: { argument: '[words...]' } }),
      limit: integer({ summary: 'most', min: 1, max: 9, default: 3 }),
    },
    command: { withoutSession: true, examples: [['graph carts a', 'finds a']], ...command },
    answer: async () => async (_: unknown, values: object) => {
      ran.asked.push(values);
      return document;
    },
    text:
      async () =>
      (given: object, { isCommand, pen }: { isCommand: boolean; pen: { path(text: string): string } }) =>
        `${JSON.stringify(given)} ${isCommand} ${pen.path('plain')}\n`,
  };
  await commandOf(asked as unknown as AnyQuestion, context as unknown as CommandContext).parseAsync(words, {
    from: 'user',
  });
  return ran;
}

test('words of one argument are joined, and what was not given has its default or none', async () => {
  const { asked, out, exits, answered } = await run({ found: 1 }, {}, 'the', 'total');
  assert.deepEqual([asked[0], exits, answered], [{ ...asked[0], query: 'the total', limit: 3 }, [], 1]);
  assert.equal(out, '{"found":1} true plain\n');
  assert.equal(Object.hasOwn((await run({}, {})).asked[0], 'query'), false);
});

test('only what is longer than the terminal goes to the pager', async () => {
  const shown = async (count: number) => {
    let out = '';
    const write = (chunk: Buffer, _: string, done: () => void) => {
      out += chunk;
      done();
    };
    const io = fakeIo({ ...process.env, GIT_PAGER: 'cat >/dev/null', NO_COLOR: '1' });
    io.stdout = Object.assign(new Writable({ write }), { isTTY: true, rows: 10 });
    const context = {
      ...{ io, directory: () => undefined, look: () => ({ pager: true }) },
      ...{ setExit: () => {}, markAnswered: () => {} },
    };
    const asked = {
      ...{ name: 'graph carts', summary: 'finds carts', effect: 'reads', params: {} },
      command: { withoutSession: true, examples: [['graph carts', 'finds all']] },
      answer: async () => async () => ({ count }),
      text: async () => (given: { count: number }) => 'line\n'.repeat(given.count),
    };
    const command = commandOf(asked as unknown as AnyQuestion, context as unknown as CommandContext);
    await command.parseAsync([], { from: 'user' });
    return out.split('\n').length - 1;
  };
  assert.deepEqual([await shown(3), await shown(9), await shown(10), await shown(100)], [3, 9, 0, 0]);
});

test('the exit status is 1 for nothing found, 2 for a failure, and a failure of the document is thrown when it was printed', async () => {
  const exits = async (command: object) => (await run({}, command)).exits;
  assert.deepEqual(await exits({ isNegative: () => true }), [1]);
  assert.deepEqual(await exits({ isFailed: () => true }), [2]);
  assert.deepEqual(await exits({ isNegative: () => true, isFailed: () => true }), [1, 2]);
  assert.deepEqual(await exits({ isNegative: () => false, isFailed: () => false }), []);
  const failure = new SocraticodeError('LOCKED', 'x');
  await assert.rejects(run({}, { failure: () => failure }), failure);
  assert.equal((await run({}, { failure: () => null })).answered, 1);
});

test('JSON is the document as it is, and a wrong value names its option and where the help is', async () => {
  assert.equal((await run({ text: '\u200b' }, {}, '--json')).out, '{"text":"\\u200b"}\n');
  await assert.rejects(run({}, {}, '--limit', '10'), {
    code: 'BAD_ARGUMENT',
    message: /--limit/,
    hint: 'See `git socraticode help graph carts`.',
  });
  await assert.rejects(run({}, { withoutSession: () => true }, '--limit', 'x'), { code: 'BAD_ARGUMENT' });
});
