/** Exports: records as files that are imported again, and the graph as a SCIP index. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readScip, scipBytes } from '../../../src/scip/index-file.js';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';
import { makeDirectory } from '../../support/repositories/repo.js';

const repo = makeMarket();
const { text, document } = await openTold(repo);
const out = makeDirectory('export');
const masked = (told: string) =>
  told
    .replaceAll(out, 'OUT')
    .replaceAll(repo.dir, 'REPO')
    .replace(/\b\d[\d,.]* [KM]?B\b/g, 'SIZE');

test('records are written once, and taken in again where they are gone', async () => {
  await text('index');
  assert.equal(
    masked(await text('export', { output: join(out, 'records') })),
    `
syntax: 14 records in 10 files, SIZE (10 written)
in OUT/records
commit it to share it
`,
  );
  assert.equal(
    masked(await text('export', { output: join(out, 'records'), ref: 'HEAD~1' })),
    `
syntax: 14 records in 11 files, SIZE (4 written)
in OUT/records
commit it to share it
`,
  );
  await text('remove', {});
  assert.equal(
    masked(await text('import', { directory: join(out, 'records') })),
    `
syntax: 14 records added
`,
  );
  assert.equal(
    masked(await text('import', { directory: join(out, 'records') })),
    `
syntax: 0 records added, 14 known
`,
  );
});

test('a SCIP index has each document with its definitions, references and relations', async () => {
  const file = join(out, 'index.scip');
  assert.equal(
    masked(await text('export', { scip: file })),
    `
44 definitions, 65 references, 6 relationships in 11 files
left out: 2 uses whose name is not on its line
in OUT/index.scip, SIZE
`,
  );
  const lines: string[] = [];
  for (const part of readScip(scipBytes(readFileSync(file)))) {
    if (part.kind !== 'document' || !/cart|money/.test(part.document.path)) continue;
    lines.push(part.document.path);
    const short = (symbol: string) => symbol.split('`').at(-1) ?? '';
    for (const { range, symbol, roles } of part.document.occurrences)
      lines.push(` ${range.join(':')} ${short(symbol)} ${roles}`);
    for (const { symbol, relationships, documentation } of part.document.symbols)
      lines.push(
        ` = ${short(symbol)} ${relationships.map((each) => short(each.symbol)).join()} ${documentation.length}`,
      );
  }
  assert.deepEqual(lines, [
    'src/cart.test.ts',
    ' 0:0:0:0 / 1',
    ' 1:9:1:13 /Cart# 2',
    ' 1:15:1:19 /Item# 2',
    ' 1:28:1:34 / 2',
    ' 2:9:2:15 /coupon(). 2',
    ' 2:24:2:31 / 2',
    ' 5:19:5:23 /Cart# 8',
    ' 6:7:6:10 /Cart#add(). 8',
    ' 6:15:6:19 /Item# 8',
    ' 7:7:7:12 /Cart#total(). 8',
    ' 11:2:11:8 /coupon(). 8',
    ' = /  0',
    'src/cart.ts',
    ' 0:0:0:0 / 1',
    ' 2:9:2:16 /withTax(). 2',
    ' 2:25:2:32 / 2',
    ' 3:9:3:14 /Shelf# 2',
    ' 3:23:3:30 / 2',
    ' 6:17:6:23 /Priced# 1',
    ' 7:2:7:7 /Priced#price(). 1',
    ' 10:13:10:17 /Item# 1',
    ' 10:29:10:35 /Priced# 0',
    ' 11:2:11:13 /Item#constructor(). 1',
    ' 11:23:11:26 /Item#net. 1',
    ' 12:2:12:7 /Item#price(). 1',
    ' 13:11:13:18 /withTax(). 8',
    ' 13:24:13:27 /Item#net. 8',
    ' 17:13:17:17 /Gift# 1',
    ' 17:26:17:30 /Item# 0',
    ' 18:2:18:7 /Gift#price(). 1',
    ' 24:13:24:17 /Cart# 1',
    ' 25:19:25:24 /Cart#items. 1',
    ' 25:26:25:32 /Priced# 0',
    ' 27:2:27:5 /Cart#add(). 1',
    ' 27:12:27:18 /Priced# 0',
    ' 28:9:28:14 /Cart#items. 8',
    ' 32:2:32:7 /Cart#total(). 1',
    ' 33:20:33:25 /Cart#items. 8',
    ' 33:45:33:50 /Priced#price(). 8',
    ' 36:2:36:9 /Cart#restock(). 1',
    ' 37:8:37:13 /Shelf# 8',
    ' 37:16:37:20 /Shelf#fill(). 8',
    ' = /  0',
    ' = /Priced#  0',
    ' = /Priced#price().  0',
    ' = /Item# /Priced# 0',
    ' = /Item#constructor().  0',
    ' = /Item#net.  0',
    ' = /Item#price(). /Priced#price(). 0',
    ' = /Gift# /Item# 0',
    ' = /Gift#price(). /Item#price().,/Priced#price(). 0',
    ' = /Cart#  1',
    ' = /Cart#items. /Priced# 0',
    ' = /Cart#add().  0',
    ' = /Cart#total().  0',
    ' = /Cart#restock().  0',
    'src/money.ts',
    ' 0:0:0:0 / 1',
    ' 0:14:0:18 /Cart# 2',
    ' 0:27:0:33 / 2',
    ' 1:9:1:12 /log(). 2',
    ' 1:21:1:26 / 2',
    ' 4:16:4:23 /withTax(). 1',
    ' 5:2:5:5 /log(). 8',
    ' 6:9:6:16 /roundUp(). 8',
    ' 9:9:9:16 /roundUp(). 1',
    ' 13:9:13:14 /halve(). 1',
    ' 14:9:14:16 /quarter(). 8',
    ' 17:9:17:16 /quarter(). 1',
    ' 21:16:21:24 /describe(). 1',
    ' 21:31:21:35 /Cart# 0',
    ' 22:17:22:22 /Cart#total(). 8',
    ' 25:16:25:22 /coupon(). 1',
    ' = /  0',
    ' = /withTax().  1',
    ' = /roundUp().  0',
    ' = /halve().  0',
    ' = /quarter().  0',
    ' = /describe().  0',
    ' = /coupon().  0',
  ]);
  assert.deepEqual(readdirSync(out).sort(), ['index.scip', 'records']);
  assert.ok(await document('export', { scip: file }));
});
