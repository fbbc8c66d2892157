/** When an answer has colours, and that words for people and for agents differ in nothing but the surface. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  COMMAND_WORDS,
  createPen,
  isOff,
  lastValue,
  plainPen,
  TOOL_WORDS,
  wantsColor,
} from '../../src/questions/pen.js';

const settings = (...values: [key: string, value: string][]) => values.map(([key, value]) => ({ key, value }));

test('of several settings the last one counts, and off is written in five ways', () => {
  assert.equal(lastValue(settings(['color.ui', 'always'], ['color.ui', 'never'], ['x', 'y']), 'color.ui'), 'never');
  assert.equal(lastValue([], 'color.ui'), undefined);
  for (const text of ['false', 'no', 'OFF', '0', 'never', '']) assert.equal(isOff(text), true, text);
  for (const text of ['true', 'auto', 'always', '1', 'nothing']) assert.equal(isOff(text), false, text);
});

test('the command line decides before the environment, that before the settings, and those before the terminal', () => {
  type Row = [color: string | undefined, env: NodeJS.ProcessEnv, config: ReturnType<typeof settings>, isTTY: boolean];
  const rows: [...Row, wanted: boolean][] = [
    [undefined, {}, [], true, true],
    [undefined, {}, [], false, false],
    ['always', { NO_COLOR: '1' }, settings(['color.ui', 'never']), false, true],
    ['never', { FORCE_COLOR: '1' }, settings(['color.ui', 'always']), true, false],
    ['auto', {}, settings(['color.ui', 'always']), false, false],
    ['auto', {}, settings(['color.ui', 'never']), true, true],
    [undefined, { FORCE_COLOR: '1', NO_COLOR: '1' }, [], false, true],
    [undefined, { FORCE_COLOR: '0' }, [], false, false],
    [undefined, { FORCE_COLOR: '' }, [], false, false],
    [undefined, { NO_COLOR: '1' }, settings(['color.ui', 'always']), true, false],
    [undefined, { NO_COLOR: '' }, [], true, true],
    [undefined, {}, settings(['color.ui', 'always']), false, true],
    [undefined, {}, settings(['color.ui', 'false']), true, false],
    [undefined, {}, settings(['color.ui', 'auto']), true, true],
    [undefined, {}, settings(['color.ui', 'always'], ['color.socraticode', 'never']), true, false],
    [undefined, { TERM: 'dumb' }, [], true, false],
    [undefined, { GIT_PAGER_IN_USE: 'true' }, [], false, true],
    [undefined, { GIT_PAGER_IN_USE: 'true' }, settings(['color.pager', 'off']), false, false],
    [undefined, { GIT_PAGER_IN_USE: 'true', TERM: 'dumb' }, [], false, false],
  ];
  for (const [color, env, config, isTTY, wanted] of rows)
    assert.equal(
      wantsColor({ stdout: { isTTY }, env }, color, config),
      wanted,
      JSON.stringify([color, env, config, isTTY]),
    );
  assert.throws(() => wantsColor({ stdout: {}, env: {} }, 'blue', []), {
    code: 'BAD_ARGUMENT',
    message: '--color takes auto, always, never, not "blue"',
  });
});

test('a pen colours each part in its own way; a terminal sees no controls, and a pipe gets the bytes', () => {
  const colored = createPen({ stdout: { isTTY: true } }, true);
  const marks = (['path', 'line', 'symbol', 'match', 'dim'] as const).map((name) => colored[name]('x'));
  assert.deepEqual(
    marks,
    ['35', '32', '36', '1;31', '2'].map((code) => `\x1b[${code}mx\x1b[0m`),
  );
  const piped = createPen({ stdout: {} }, false);
  assert.deepEqual([piped.path('x'), piped.dim('x')], ['x', 'x']);
  assert.deepEqual([colored.raw('\x1b\r\n'), piped.raw('\x1b\r\n')], ['\\x1b\n', '\x1b\r\n']);
  assert.equal(createPen({ stdout: { isTTY: true } }, false).raw('\x1b'), '\\x1b');
  assert.equal(plainPen(TOOL_WORDS).raw('\x1b\r\n'), '\\x1b\r\n');
});

test('next steps are commands for people and tools for agents, quoted where a shell would read them', () => {
  assert.deepEqual(Object.keys(COMMAND_WORDS).sort(), Object.keys(TOOL_WORDS).sort());
  assert.equal(COMMAND_WORDS.references("it's"), "git socraticode graph references 'it'\\''s'");
  assert.equal(COMMAND_WORDS.grep('a b'), "git socraticode grep -w 'a b'");
  assert.equal(TOOL_WORDS.references('x'), 'codebase_references lists them');
  assert.equal(TOOL_WORDS.grep('total'), 'codebase_grep for the word total lists them');
});
