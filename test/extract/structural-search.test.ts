/** Places of matches are those of the file's own text, whatever is before its first token. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPatternParsers, searchTree } from '../../src/extract/structural-search.js';

test('a byte order mark moves every match and every capture by itself', async () => {
  await loadPatternParsers();
  for (const mark of ['', '\ufeff']) {
    const text = `${mark}show(price);\nshow(1, 2);\n`;
    const search = searchTree(Buffer.from(text), 'typescript', 'show($$$ARGS)');
    assert.ok('matches' in search, JSON.stringify(search));
    assert.deepEqual(
      search.matches.map(({ start, end, captures: [args] }) => [
        text.slice(start, end),
        text.slice(args.start, args.end),
      ]),
      [
        ['show(price)', 'price'],
        ['show(1, 2)', '1, 2'],
      ],
    );
  }
});
