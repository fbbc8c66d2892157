/** The line that replies begin with. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerLine } from '../../../src/mcp/reply/header.js';

const document = (covered: number) => ({ ref: 'HEAD', commit: 'a'.repeat(40), coverage: { covered, total: 5 } });

test('what runs meanwhile is told where waiting makes the answer better, and only there', () => {
  const running = 'indexing HEAD: 40% (2/5), ask again for more';
  assert.equal(
    headerLine(document(2), running),
    'HEAD @ aaaaaaaaa · partial: 2/5 files · indexing HEAD: 40% (2/5), ask again for more\n',
  );
  assert.equal(headerLine(document(5), running), 'HEAD @ aaaaaaaaa · 5/5 files\n');
  assert.equal(headerLine({ files: [] }, running), '');
});

test('uncommitted changes are counted, with those that the answer knows', () => {
  const about = (dirty: unknown, overlay?: unknown) => headerLine({ ref: 'HEAD', dirty, overlay }, null);
  assert.equal(about(0), 'HEAD\n');
  assert.equal(about(3), 'HEAD · 3 uncommitted included\n');
  assert.equal(about(3, 3), 'HEAD · 3 uncommitted included\n');
  assert.equal(about(3, 0), 'HEAD · 3 uncommitted not included\n');
  assert.equal(about(3, 2), 'HEAD · 2 of 3 uncommitted included\n');
});

test('a snapshot is told by its name and commit, or by the one that is the other', () => {
  assert.equal(headerLine({ ref: 'main', commit: 'ab'.repeat(20) }, null), 'main @ ababababa\n');
  assert.equal(headerLine({ ref: 'main', commit: null }, null), 'main\n');
  assert.equal(headerLine({ ref: 'abab', commit: 'ab'.repeat(20) }, null), 'abab\n');
  assert.equal(headerLine({ ref: 'bab', commit: 'ab'.repeat(20) }, null), 'bab @ ababababa\n', 'only its beginning');
  assert.equal(headerLine({ ref: 'x'.repeat(81) }, null), `${'x'.repeat(80)}…\n`);
  assert.equal(headerLine({ ref: 'x'.repeat(80) }, null), `${'x'.repeat(80)}\n`);
});
