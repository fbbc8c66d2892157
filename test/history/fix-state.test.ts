/** States of a fix in a text: what it removed speaks against it, what it added speaks for it, and neither is no answer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparableLines, fixOf, hunksIn, joinStates } from '../../src/history/fix-state.js';

const OLD = `function read(path) {
  const text = load(path);
  const size = text.length;
  check(size);
  return parse(text, size);
}
function write(path, text) {
  store(path, text);
  return true;
}
`;
const FIXED = OLD.replace('return parse(text, size);', 'return parse(escape(text), size);');
const GUARDED = OLD.replace('  check(size);\n', '  if (size > LIMIT) throw new TooLarge(path);\n  check(size);\n');

function stateOf(before: string, after: string, text: string) {
  const hunks = hunksIn(fixOf(comparableLines(before), comparableLines(after)), comparableLines(text));
  return { ...joinStates(hunks), line: hunks[0].line };
}

test('the version before a fix is vulnerable, the version after it is fixed', () => {
  for (const after of [FIXED, GUARDED]) {
    assert.equal(stateOf(OLD, after, OLD).state, 'vulnerable');
    assert.deepEqual([stateOf(OLD, after, after).state, stateOf(OLD, after, after).isExact], ['fixed', true]);
  }
});

test('code that moved, other indentation and edits elsewhere change nothing', () => {
  const moved = OLD.split('\n');
  const elsewhere = (text: string) =>
    `import { x } from 'y';\n\n${text.replaceAll('  ', '\t\t').replace('store(path, text)', 'save(path, text)')}`;
  assert.equal(stateOf(OLD, FIXED, elsewhere(OLD)).state, 'vulnerable');
  assert.equal(stateOf(OLD, FIXED, elsewhere(FIXED)).state, 'fixed');
  const swapped = [...moved.slice(6), ...moved.slice(0, 6)].join('\n');
  const found = stateOf(OLD, FIXED, swapped);
  assert.deepEqual([found.state, found.line], ['vulnerable', 9]);
});

test('code that is not there never had it, and code in other words shows nothing', () => {
  assert.equal(stateOf(OLD, FIXED, 'class Other {\n  run() {\n    this.start();\n  }\n}\n').state, 'never');
  const words = OLD.replace('return parse(text, size);', 'return parse(quoted(text), 0);');
  assert.equal(stateOf(OLD, FIXED, words).state, 'unknown');
  const otherGuard = OLD.replace('  check(size);\n', '  if (size > 10) fail(TooLarge, path);\n  check(size);\n');
  assert.equal(stateOf(OLD, GUARDED, otherGuard).state, 'unknown');
});

test('half of a fix is no fix', () => {
  const both = FIXED.replace('  store(path, text);', '  store(path, escape(text));');
  assert.equal(stateOf(OLD, both, FIXED).state, 'vulnerable');
  assert.equal(stateOf(OLD, both, both).state, 'fixed');
});

test('comments, signs and lines that stand elsewhere as well decide nothing', () => {
  const commented = OLD.replace('  check(size);', '  // checks the size of it\n  check(size);');
  assert.deepEqual(fixOf(comparableLines(OLD), comparableLines(commented)).hunks, []);
  const list = 'options:\n  first:\n    type: bool\n    default: no\n  second:\n    type: bool\n    default: no\n';
  const longer = list.replace('  second:', '  between:\n    type: bool\n    default: no\n  second:');
  assert.equal(stateOf(list, longer, list).state, 'vulnerable');
  assert.equal(stateOf(list, longer, longer).state, 'fixed');
});
