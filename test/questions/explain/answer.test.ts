/** Why files are indexed or not, and what the index has of them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';

const repo = makeMarket();
repo.commit(
  {
    '.socraticode.json': '{ "exclude": ["gen/**"], "maxFileBytes": 2000 }',
    'gen/a.ts': 'export const a = 1;\n',
    'big.ts': `// ${'x'.repeat(3_000)}\n`,
    'image.png': Buffer.from([137, 80, 78, 71, 0, 1]),
    '.env': 'TOKEN=abc\n',
    'node_modules/x/index.js': 'module.exports = 1;\n',
    'src/latin.ts': Buffer.from('// caf\u00e9\nexport const latin = 1;\n', 'latin1'),
    'empty.ts': '',
    '.gitignore': 'ignored/\n',
  },
  'more files',
);
repo.write({ 'src/log.ts': 'export const log = 2;\n', 'untracked.ts': 'export const u = 1;\n', 'ignored/i.ts': '1\n' });
const { text, refusal } = await openTold(repo);
const explain = (...paths: string[]) => text('explain', { paths });

test('before the index, a file waits for it', async () => {
  assert.equal(
    await explain('src/money.ts', 'gen/a.ts'),
    `
src/money.ts  not indexed yet: it waits for the next run of the indexer
  next      git socraticode index
gen/a.ts  not indexed: the setting exclude leaves it out (gen/** in .socraticode.json)
  next      Remove the glob from the setting.
exit 1
`,
  );
  await text('index');
});

test('an indexed file has its chunks, symbols and state; one with parse errors says so', async () => {
  assert.equal(
    await explain('src/money.ts'),
    `
src/money.ts  indexed
  content   typescript, 568 B, blob <id>
  chunks    2 chunks, 6 symbols
  vectors   2 of 2 by builtin <id>
  record    in this clone, not shared, profile <id>
  graph     its imports and uses are followed
`,
  );
  assert.equal(
    await explain('src/broken.ts', 'src/latin.ts', 'docs/guide.md', 'empty.ts'),
    `
src/broken.ts  indexed
  content   typescript, 70 B, blob <id>
  chunks    1 chunk, 1 symbol
  vectors   1 of 1 by builtin <id>
  record    in this clone, not shared, profile <id>
  graph     its imports and uses are followed
  errors    parse errors: lines 4 could not be read, and declarations may be missing there; small parse errors: lines 1
src/latin.ts  indexed
  content   typescript, 33 B, blob <id>
  chunks    1 chunk, 1 symbol
  vectors   1 of 1 by builtin <id>
  record    in this clone, not shared, profile <id>
  graph     its imports and uses are followed
docs/guide.md  indexed
  content   markdown, 195 B, blob <id>
  chunks    1 chunk, 2 symbols
  vectors   1 of 1 by builtin <id>
  record    in this clone, not shared, profile <id>
  graph     only its path is known: imports and uses are not read from markdown
empty.ts  indexed
  content   typescript, 0 B, blob <id>
  chunks    0 chunks, 0 symbols
  vectors   0 of 0 by builtin <id>
  record    in this clone, not shared, profile <id>
  graph     its imports and uses are followed
`,
  );
});

test('a file that is left out has the rule that leaves it out', async () => {
  assert.equal(
    await explain('gen/a.ts', 'big.ts', 'image.png', '.env', 'node_modules/x/index.js'),
    `
gen/a.ts  not indexed: the setting exclude leaves it out (gen/** in .socraticode.json)
  next      Remove the glob from the setting.
big.ts  not indexed: larger than the setting maxFileBytes (maxFileBytes = 2000 in .socraticode.json)
  next      git config socraticode.maxFileBytes 1m
image.png  not indexed: its extension is that of a binary file (*.png)
.env  not indexed: looks like a secret (.env)
  next      No setting indexes it, since records are pushed. Rename it if it holds no secret.
node_modules/x/index.js  not indexed: a tool wrote it, or it is a copy of code from elsewhere (node_modules/)
  next      git config --add socraticode.include node_modules/x/index.js
exit 1
`,
  );
  assert.equal(
    await explain('ignored/i.ts', 'nowhere.ts', 'untracked.ts', 'src/log.ts'),
    `
ignored/i.ts  not indexed: git ignores it (ignored/ in .gitignore:1)
  next      git add -f ignored/i.ts
nowhere.ts  no such file in this snapshot
untracked.ts  indexed (uncommitted)
  content   typescript, 20 B, blob <id>
  chunks    1 chunk, 1 symbol
  vectors   1 of 1 by builtin <id>
  record    none: it is indexed in this clone alone
  graph     its imports and uses are followed
src/log.ts  indexed (uncommitted)
  content   typescript, 22 B, blob <id>
  chunks    1 chunk, 1 symbol
  vectors   1 of 1 by builtin <id>
  record    none: it is indexed in this clone alone
  graph     its imports and uses are followed
exit 1
`,
  );
});

test('folders count their files, of the work tree or of a ref', async () => {
  assert.equal(
    await explain('src', 'gen'),
    `
src  folder
  selected  9 files
  left out  nothing
gen  folder
  selected  0 files
  left out  1 excluded
`,
  );
  assert.equal(
    await text('explain', { paths: ['src/log.ts', 'untracked.ts', '.'], committed: true }),
    `
src/log.ts  indexed
  content   typescript, 65 B, blob <id>
  chunks    1 chunk, 1 symbol
  vectors   1 of 1 by builtin <id>
  record    in this clone, not shared, profile <id>
  graph     its imports and uses are followed
untracked.ts  no such file in this snapshot
.  folder
  selected  19 files
  left out  1 binary, 1 excluded, 1 generated or vendored, 1 secret
exit 1
`,
  );
  assert.equal(
    await refusal('explain', { paths: ['../outside.ts'] }),
    'BAD_ARGUMENT: ../outside.ts is outside of this repository (Name a file of the repository, from the current directory or from its top.)',
  );
});
