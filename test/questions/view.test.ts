/** An answer as blocks: each writer shows the same, and Markdown lets no name of a repository format, link or mention. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { COMMAND_WORDS, plainPen } from '../../src/questions/pen.js';
import { type Block, blockLines, blocksMarkdown } from '../../src/questions/view.js';

const pen = plainPen(COMMAND_WORDS);
const BLOCKS: Block[] = [
  { heading: [{ code: 'main' }, ' to the work tree'], note: '2 files' },
  { say: ['risk: ', { strong: 'high', isUrgent: true }, '  ', { aside: '(@ann said so)' }], isApart: true },
  {
    title: 'uses',
    counted: (all) => `uses: ${all} in all`,
    list: [
      [
        { mark: 'changed' },
        { path: 'a.ts', line: 3 },
        { symbol: 'f' },
        { aside: ['see ', { path: 'b*.ts', line: 1 }] },
      ],
      [{ path: 'c.ts', line: 7, repository: 'shop' }, { symbol: null }, '[x](y)', { aside: '' }],
    ],
    leftOut: 2,
  },
  { title: 'nothing to say', list: [], leftOut: 0 },
  { title: 'owners', list: [[{ code: 'Ann' }]], leftOut: 1, rest: 'and 1 other' },
];

test('a terminal has columns, and what was cut; the heading alone stays on later pages', () => {
  assert.deepEqual(blockLines(BLOCKS, pen), [
    ...['main to the work tree: 2 files', '', 'risk: high  (@ann said so)'],
    ...['', 'uses: 4 in all', '  ~ a.ts:3  f  see b*.ts:1', '  shop:c.ts:7  [x](y)', '  … 2 more: raise --limit'],
    ...['', 'owners', '  Ann', '  … and 1 other'],
  ]);
  const later = blockLines(BLOCKS, { ...pen, skipped: 5 });
  assert.deepEqual([later[0], later[4]], ['main to the work tree', 'uses: 9 in all']);
});

test('colours are of the pen, and a remark has one', () => {
  const colored = { ...pen, path: (text: string) => `<p ${text}>`, dim: (text: string) => `<d ${text}>` };
  assert.equal(blockLines(BLOCKS, colored)[5], '  ~ <p a.ts>:3  f  <d see b*.ts:1>');
});

test('Markdown has the same lists: names in code spans, phrases escaped, remarks after a colon', () => {
  assert.equal(
    blocksMarkdown('Review of', BLOCKS),
    `## Review of \`main\` to the work tree

2 files

risk: **high**  (@&#8203;ann said so)

### Uses: 4 in all

- changed: \`a.ts:3\` \`f\`: see \`b*.ts:1\`
- \`shop:c.ts:7\` \\[x\\](y)
- … 2 more

### Owners

- \`Ann\`
- … and 1 other
`,
  );
});
