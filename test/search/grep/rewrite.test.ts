/** Patches of `grep --rewrite`: git itself applies them. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSocraticodeError } from '../../../src/base/errors.js';
import { checkTemplate, type Edit, patchOf, rewrite } from '../../../src/search/grep/rewrite.js';
import { makeDirectory, runGit } from '../../support/repositories/repo.js';

const directory = makeDirectory();

/** A file after `git apply`. */
function applied(path: string, text: string, patch: string): string {
  const file = join(directory, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  runGit(['apply', '--whitespace=nowarn'], { cwd: directory, input: patch });
  return readFileSync(file, 'utf8');
}

const edited = (text: string, edits: readonly Edit[]) =>
  [...edits].reverse().reduce((out, { start, end, text: fresh }) => out.slice(0, start) + fresh + out.slice(end), text);

const line = fc.constantFrom('', 'a', 'b', 'f(x)', '\r', 'é "\\', '-- ', '+a');
const content = fc.array(line, { maxLength: 30 }).map((lines) => lines.join('\n'));
/** Edits in order, none over another. */
const edits = (text: string) =>
  fc
    .uniqueArray(fc.nat(text.length), { maxLength: 8 })
    .map((places) => places.sort((a, b) => a - b))
    .chain((places) =>
      fc
        .tuple(...places.slice(0, places.length & ~1).map(() => fc.constantFrom('', 'new', 'x\ny', 'a\n', '\n')))
        .map((texts) =>
          texts.flatMap((fresh, i) =>
            i % 2 === 0 ? [{ start: places[i], end: places[i + 1], text: fresh as string }] : [],
          ),
        ),
    );

test('git makes of a file and its patch the edited text, whatever the line ends', () => {
  const cases = content.filter((text) => text !== '').chain((text) => fc.tuple(fc.constant(text), edits(text)));
  fc.assert(
    fc.property(cases, ([text, some]) => {
      const wanted = edited(text, some);
      const patch = patchOf('dir/a b.txt', text, some);
      assert.equal(patch === '', wanted === text);
      if (patch !== '') assert.equal(applied('dir/a b.txt', text, patch), wanted);
    }),
    { numRuns: 60 },
  );
});

test('git reads names with quotes, tabs and line breaks', () => {
  for (const path of ['q"uote.txt', 'back\\slash', 'ta\tb', 'new\nline', 'é ü'])
    assert.equal(applied(path, 'a\nb\n', patchOf(path, 'a\nb\n', [{ start: 2, end: 3, text: 'c' }])), 'a\nc\n');
});

test('lines inside of a match that stay as they are do not count as changed', () => {
  const text = 'f(() => {\n  one\n  two\n});\n';
  const patch = patchOf('a', text, [{ start: 0, end: text.length - 2, text: 'g(() => {\n  one\n  two\n}, 1)' }]);
  assert.deepEqual(
    patch.split('\n').filter((row) => /^[-+](?![-+])/.test(row)),
    ['-f(() => {', '+g(() => {', '-});', '+}, 1);'],
  );
});

/** The match of a text, and its captures, each by its text. */
const matchOf = (text: string, match: string, captures: Record<string, string> = {}) => {
  const spanOf = (part: string) => ({ start: text.indexOf(part), end: text.indexOf(part) + part.length });
  return { ...spanOf(match), captures: Object.entries(captures).map(([name, part]) => ({ name, ...spanOf(part) })) };
};

test('a template has single and many captures, and nothing for one that is missing', () => {
  const text = 'x = old(a, b, c);\n';
  const match = matchOf(text, 'old(a, b, c)', { A: 'a', REST: 'b, c' });
  const one = (template: string) => edited(text, rewrite(text, [match], template).edits);
  assert.equal(one('fresh($$$REST, $A)'), 'x = fresh(b, c, a);\n');
  assert.equal(one('fresh($A$$$NONE)'), 'x = fresh(a);\n');
  assert.deepEqual(rewrite(text, [match], 'old($A, $$$REST)'), { edits: [], inner: 0 });
});

test('of matches in each other the outermost is rewritten, and the others are counted', () => {
  const text = 'f(f(1)) + f(2)';
  const matches = [
    { start: 0, end: 7, captures: [{ name: 'A', start: 2, end: 6 }] },
    { start: 2, end: 6, captures: [{ name: 'A', start: 4, end: 5 }] },
    { start: 10, end: 14, captures: [{ name: 'A', start: 12, end: 13 }] },
  ];
  const { edits: some, inner } = rewrite(text, matches, 'g($A)');
  assert.equal(edited(text, some), 'g(f(1)) + g(2)');
  assert.equal(inner, 1);
});

test('new lines have the indentation and the line ends of the match', () => {
  const text = '  if ok:\r\n      one()\r\n      two()\r\n';
  const match = matchOf(text, 'if ok:\r\n      one()\r\n      two()', { A: 'ok', B: 'one()\r\n      two()' });
  const { edits: some } = rewrite(text, [match], 'if not $A:\n    pass\nelse:\n    $$$B');
  assert.equal(edited(text, some), '  if not ok:\r\n      pass\r\n  else:\r\n      one()\r\n      two()\r\n');
});

test('a template with a variable that the pattern lacks is refused', () => {
  checkTemplate('f($$$A)', 'g($$$A)');
  for (const template of ['f($B)', 'f($_A)', 'f($$$)'])
    assert.throws(
      () => checkTemplate(template, 'g($A, $_A)'),
      (error) => isSocraticodeError(error, 'BAD_ARGUMENT') && /captures no \$/.test(error.message),
    );
});
