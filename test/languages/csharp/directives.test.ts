/** Text that is parsed of C# files with directives inside of declarations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutDirectives } from '../../../src/languages/csharp/directives.js';

const lines = (text: string) =>
  withoutDirectives(text)
    .split('\n')
    .map((line) => line.trimEnd());

test('a directive inside of a declaration leaves one declaration, of the same length', () => {
  const text = 'class Log : ISink\n#if ASYNC\n  , IAsync\n#else\n  , ISync\n#endif\n{ }\n';
  assert.equal(withoutDirectives(text).length, text.length);
  assert.deepEqual(lines(text), ['class Log : ISink', '', '  , IAsync', '', '', '', '{ }', '']);
});

test('both branches remain where each is whole', () => {
  const text = '#if ASYNC\nvoid Open() { }\n#else\nvoid Close() { }\n#endif\n';
  assert.deepEqual(lines(text), ['', 'void Open() { }', '', 'void Close() { }', '', '']);
});

test('a file without conditions is parsed as it is', () => {
  assert.equal(withoutDirectives('#region A\nint a;\n#endregion\n'), '#region A\nint a;\n#endregion\n');
});
