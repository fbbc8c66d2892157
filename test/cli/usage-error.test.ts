/** Command lines that are refused: one form of message, the nearest command, and a search for a question. */
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { runCli } from '../../src/cli/program.js';
import { createRepo } from '../support/repositories/repo.js';
import { fakeIo } from './io.js';

async function refusal(...words: string[]): Promise<string> {
  let text = '';
  const stderr = new Writable({
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  const exit = await runCli(['node', 'git-socraticode', ...words], { ...fakeIo(), stderr });
  assert.equal(exit, 2, words.join(' '));
  return text;
}

const told = (message: string, hint: string) => `git-socraticode: ${message}\n  ${hint}\n`;

test('a mistyped command or option is told with the nearest one, and with the help of the command at hand', async () => {
  const cases: [line: string, message: string, hint: string][] = [
    ['serach', "unknown command 'serach'", 'Did you mean `git socraticode search`? See `git socraticode help`.'],
    [
      'mcp instal',
      "unknown command 'mcp instal'",
      'Did you mean `git socraticode mcp install`? See `git socraticode help mcp`.',
    ],
    [
      'graph impct Cart',
      "unknown command 'graph impct'",
      'Did you mean `git socraticode graph impact`? See `git socraticode help graph`.',
    ],
    ['tasks', "unknown command 'tasks'", 'Did you mean `git socraticode task`? See `git socraticode help`.'],
    [
      'callers Cart',
      "unknown command 'callers'",
      'Did you mean `git socraticode references`? See `git socraticode help`.',
    ],
    [
      'graph dead',
      "unknown command 'graph dead'",
      'Did you mean `git socraticode graph unused`? See `git socraticode help graph`.',
    ],
    // Spelt like `export` and `completion`, which mean other things.
    ['experts', "unknown command 'experts'", 'Did you mean `git socraticode owners`? See `git socraticode help`.'],
    [
      'complexity',
      "unknown command 'complexity'",
      'Did you mean `git socraticode hotspots`? See `git socraticode help`.',
    ],
    ['refs Cart', "unknown command 'refs'", 'Did you mean `git socraticode references`? See `git socraticode help`.'],
    [
      'graph refs Cart',
      "unknown command 'graph refs'",
      'Did you mean `git socraticode graph references`? See `git socraticode help graph`.',
    ],
    [
      'install',
      "unknown command 'install'",
      'Did you mean `git socraticode hooks install` or `git socraticode mcp install` or `git socraticode agents install`? See `git socraticode help`.',
    ],
    // Spelt like `--in`, and the beginning of another.
    ['search x --lin', "unknown option '--lin'", 'Did you mean --linked? See `git socraticode help search`.'],
    ['search x --limt 3', "unknown option '--limt'", 'Did you mean --limit? See `git socraticode help search`.'],
    [
      'search x --language go',
      "unknown option '--language'",
      'Did you mean --lang? See `git socraticode help search`.',
    ],
    ['history x --file a.ts', "unknown option '--file'", 'Did you mean --path? See `git socraticode help history`.'],
    ['grep x --path a.ts', "unknown option '--path'", 'Did you mean --glob? See `git socraticode help grep`.'],
    ['search x --type go', "unknown option '--type'", 'Did you mean --lang? See `git socraticode help search`.'],
    ['grep x --max-count 3', "unknown option '--max-count'", 'Did you mean --limit? See `git socraticode help grep`.'],
    [
      'index main',
      "too many arguments for 'index'. Expected 0 arguments but got 1.",
      'Did you mean --ref main? See `git socraticode help index`.',
    ],
    [
      'graph unused v1.2',
      "too many arguments for 'unused'. Expected 0 arguments but got 1.",
      'Did you mean --ref v1.2? See `git socraticode help graph unused`.',
    ],
    [
      'graph visualize src/cart',
      "too many arguments for 'visualize'. Expected 0 arguments but got 1.",
      'Did you mean --focus src/cart or --ref src/cart? See `git socraticode help graph visualize`.',
    ],
    ['search x --regex', "unknown option '--regex'", 'See `git socraticode help search`.'],
    ['search x --index', "unknown option '--index'", 'See `git socraticode help search`.'],
    ['search x --limit', "option '--limit' needs a value", 'See `git socraticode help search`.'],
    ['search x --limit y', '--limit takes a whole number from 1 to 100, not "y"', 'See `git socraticode help search`.'],
    [
      'search x --mode lexcal',
      '--mode takes one of hybrid, lexical, semantic, not "lexcal"; did you mean lexical?',
      'See `git socraticode help search`.',
    ],
    [
      'search x --is test --is surce',
      '--is takes source, test, example, generated, vendored, legacy, declaration, document, data, or one of them after "!", not "surce"; did you mean source?',
      'See `git socraticode help search`.',
    ],
  ];
  for (const [line, message, hint] of cases) assert.equal(await refusal(...line.split(' ')), told(message, hint), line);
});

test('the beginning of a long option stands for it, as in git, if no other begins so', async () => {
  const number = '--limit takes a whole number from 1 to 100, not "y"';
  for (const line of ['search x --lim y', 'search x --lim=y'])
    assert.equal(await refusal(...line.split(' ')), told(number, 'See `git socraticode help search`.'), line);
  assert.match(await refusal('search', 'x', '--li', '3'), /^git-socraticode: unknown option '--li'\n/);
});

test('a question without a command is answered with the search for it, quoted for a shell, made visible and cut', async () => {
  const hint = 'To search for it: `git socraticode search "how are sessions stored"`. See `git socraticode help`.';
  assert.match(await refusal('how are sessions stored'), new RegExp(`\\n  ${hint}\\n$`));
  assert.match(
    await refusal('how', 'are', 'sessions', 'stored', '--limit', '3'),
    /`git socraticode search "how are sessions stored"`/,
  );
  assert.match(await refusal('is it $5 or `x`?'), /search 'is it \$5 or `x`\?'`/);
  const hostile = await refusal(`a\x1b[2J ${'x'.repeat(1_000)}`);
  assert.ok(!hostile.includes('\x1b') && hostile.includes("…'`"), hostile);
});

test('-C behind `grep` and before a number is lines of context, and the repository everywhere else', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'one\ntwo\nthree\n' }, 'first');
  const lines = async (...words: string[]) => {
    let text = '';
    const stdout = new Writable({
      write(chunk, _encoding, done) {
        text += chunk;
        done();
      },
    });
    await runCli(['node', 'git-socraticode', ...words], { ...fakeIo(), stdout });
    return text;
  };
  assert.match(await lines('-C', repo.dir, 'grep', 'two', '-C', '1'), /1-one\n2:two\n3-three/);
  assert.match(await lines('grep', 'two', '-C', repo.dir), /^2:two$/m);
  assert.doesNotMatch(await lines('grep', 'two', '-C', repo.dir), /one/);
});
