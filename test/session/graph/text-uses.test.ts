/** The index of names of a graph: which files may contain a name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Graphs } from '../../../src/session/graph/graphs.js';
import { NameIndex, placesNaming } from '../../../src/session/graph/text-uses.js';
import { Session } from '../../../src/session/session.js';
import { corporaOf } from '../../../src/session/snapshot/corpora.js';
import { createRepo } from '../../support/repositories/repo.js';
import '../../support/in-process/kept-parsers.js';

const LONG = `price${'Of'.repeat(40)}`;
const repo = createRepo();
repo.commit({
  'src/price.ts': `/** Rounds. */\nexport const unitPrice = 21;\nexport const ${LONG} = 1;\n`,
  'src/copy.ts': `/** Rounds. */\nexport const unitPrice = 21;\nexport const ${LONG} = 1;\n`,
  'src/cart.ts': '// unit_price stands in a comment.\nexport const total = 1;\n',
  'src/other.ts': 'export const unit = 1;\nexport const price = 2;\n',
  'src/log.ts': 'export const line = "\\nopenCart"; export const word = /\\bopenCart\\b/;\n',
  'src/keys.ts': 'export const key = "cart-lid";\n',
  'src/lid.ts': 'export const lid = 1;\n',
});

test('files that may contain a name are found with all their paths, and uncommitted ones may contain any name', async () => {
  const session = await Session.open({ directory: repo.dir });
  try {
    const graphs = new Graphs(session);
    const ask = async (name: string) => {
      const prepared = await graphs.prepare();
      const index = await NameIndex.open(session, prepared);
      assert.equal(await NameIndex.open(session, prepared), index, 'made once for a graph');
      return index
        .filesWith(name)
        ?.map((file) => prepared.graph.tables.files[file].path)
        .sort();
    };
    const all = ['src/cart.ts', 'src/copy.ts', 'src/price.ts'];
    assert.deepEqual(await ask('unitPrice'), all);
    assert.deepEqual(await ask('nowhere'), []);
    assert.deepEqual(await ask('openCart'), ['src/log.ts'], 'behind the letter of an escape');
    assert.deepEqual(await ask('cart-lid'), ['src/keys.ts'], 'with each word of a name in quotes');
    assert.equal(await ask('x'), undefined, 'a single letter is not indexed');
    assert.equal(await ask(LONG), undefined, 'nor is a name that is longer than any indexed one');
    repo.write({ 'src/new.ts': 'export const fresh = 1;\n' });
    assert.deepEqual(await ask('nowhere'), ['src/new.ts']);
    assert.equal(corporaOf(session), corporaOf(session));
  } finally {
    session.close();
  }
});

const shop = createRepo();
shop.commit({
  '.socraticode.json': '{"maxFileBytes": 2000}\n',
  'shop/__init__.py': '__all__ = ["total", "price"]\n',
  'shop/cart.py': 'def total():\n    return 1\n\n\ndef price():\n    return 2\n\n\ndef quiet():\n    return 3\n',
  'shop/use.py':
    'from shop.cart import (\n    quiet,\n    total,\n)\n\nprint("total", "total", "price")\nprint("total")\n',
  'shop/large.py': `x = "quiet"\n${'# filler\n'.repeat(400)}`,
  'shop/other.py': 'from shop.elsewhere import total\n',
});

test('places that name definitions: each line once, imports that bring them, no list of exports, and files too large for the index', async () => {
  const session = await Session.open({ directory: shop.dir });
  try {
    const prepared = await new Graphs(session).prepare();
    const { graph } = prepared;
    const file = graph.fileNode(graph.findFile('shop/cart.py'));
    const nodes = [file, file + 1, file + 2, file + 3];
    const { places, marks } = await placesNaming(session, prepared, { nodes });
    const told = [...places].map(([node, found]) => [
      graph.name(node),
      ...(found ?? []).map((place) => `${graph.tables.files[place.file].path}:${place.line}`),
    ]);
    assert.deepEqual(told, [
      ['total', 'shop/use.py:3', 'shop/use.py:6', 'shop/use.py:7'],
      ['price', 'shop/use.py:6'],
      ['quiet', 'shop/use.py:2', 'shop/large.py:1'],
    ]);
    assert.deepEqual([...marks], []);
    assert.deepEqual((await placesNaming(session, prepared, { nodes: [file] })).places.size, 0);
    const many = await placesNaming(session, prepared, { nodes: [...Array(40).fill(file + 1), file + 2] });
    assert.deepEqual([...many.places.keys()], [file + 1], 'the first forty are looked up');
  } finally {
    session.close();
  }
});
