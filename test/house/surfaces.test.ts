/**
 * Only the command line knows its spelling: no text below `src/cli` holds an option of ours such as `--ref`, since agents and
 * other front ends read those texts, too. Texts name parameters, or use `commandText` and `optionText`.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionOf, splitParams } from '../../src/params/param.js';
import { loadQuestions } from '../../src/questions/table.js';
import { sourceFiles } from './root.js';

/** Shell code that calls our own hidden command. */
const SHELL_CODE: ReadonlySet<string> = new Set(['questions/hooks/answer.ts']);

/** A comment, or a string literal in any quotes; whichever begins first hides the other. */
const TOKEN = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
/** Examples of a declaration are command lines by definition. */
const EXAMPLES = /\bexamples: \[\n[\s\S]*?\n {4,}\],\n|\bexamples: \[\['[^\n]*\n/g;

/** Texts with an option of `flags`. A single word is an argument of git, or of a process of ours. */
function textsWithFlags(source: string, flags: ReadonlySet<string>): string[] {
  const literals = source.replace(EXAMPLES, '').match(TOKEN) ?? [];
  return (
    literals
      .filter((literal) => !literal.startsWith('/') && /\s/.test(literal.trim()))
      .filter((literal) => (literal.match(/(?<![\w-])--[a-z][\w-]*/g) ?? []).some((option) => flags.has(option)))
      // An argument of git that asks for a format.
      .filter((literal) => !/^['`"]--format=%/.test(literal))
  );
}

async function ownFlags(): Promise<ReadonlySet<string>> {
  const questions = await loadQuestions();
  const options = questions.flatMap(({ command, params }) =>
    command === undefined ? [] : splitParams(params).optionKeys.map((key) => optionOf(key, params[key])),
  );
  return new Set([...options, '--json']);
}

test('texts with an option are told from comments, arguments of git and examples', () => {
  const flags = new Set(['--ref', '--json']);
  const source = [
    "const a = 'name another with --ref'; // --ref is not text",
    "git(['--ref', '--other']);",
    'const b = `see --json and ' + '$' + '{c}`;',
    "const d = 'unknown --reference';",
    '    examples: [',
    "      ['status --ref v1', 'of a release'],",
    '    ],',
    '',
  ].join('\n');
  assert.deepEqual(textsWithFlags(source, flags), ["'name another with --ref'", '`see --json and ' + '$' + '{c}`']);
});

test('no text below src/cli holds an option of the command line', async () => {
  const flags = await ownFlags();
  assert.ok(flags.has('--ref') && flags.size > 30, `only ${flags.size} options are declared`);
  const files = sourceFiles().filter(({ path }) => !path.startsWith('cli/') && !SHELL_CODE.has(path));
  const wrong = files.flatMap(({ path, text }) =>
    textsWithFlags(text, flags).map((literal) => `${path}: ${literal.slice(0, 100)}`),
  );
  assert.deepEqual(wrong, []);
});
