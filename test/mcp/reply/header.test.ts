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
