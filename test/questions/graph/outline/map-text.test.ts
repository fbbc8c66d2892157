/** Maps of a repository as text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapText } from '../../../../src/questions/graph/outline/answer.js';
import { plainPen, TOOL_WORDS } from '../../../../src/questions/pen.js';

const header = { schemaVersion: 1 as const, ref: 'HEAD', commit: null, coverage: { covered: 1, total: 1 } };
const ROOT = 'src/main/java/org/example/data';

test('near folders are named relative to the current directory; tests are told by their place', () => {
  const uses = [ROOT, `${ROOT}/cfg`, `${ROOT}/util/io`, 'src/main/java/org/example/web', 'lib'];
  const folders = [{ path: `${ROOT}/util`, files: 3, uses, central: [] }];
  const aside = [
    { path: 'tests', files: 40 },
    { path: '.', files: 1 },
  ];
  const text = mapText(
    { ...header, ...{ dirty: 0, overlay: 0, scope: [], budget: 500, tokens: 100, folderCount: 1 }, folders, aside },
    plainPen(TOOL_WORDS),
  );
  assert.equal(
    text,
    `${ROOT}/util/  3 files, uses ../, ../cfg/, ./io/, src/main/java/org/example/web/, lib/\n\n` +
      'tests, examples and copies: tests/ 40 files, ./ 1 file\n',
  );
});
