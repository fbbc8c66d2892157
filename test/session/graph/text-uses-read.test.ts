/** What text says of definitions that no edge uses: on graphs and texts written down here, with an index that finds each word. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Graph } from '../../../src/graph/graph.js';
import type { PreparedGraph } from '../../../src/session/graph/graphs.js';
import { contains, fileOwnAmong, isUseOf, type NameIndex, TextUses } from '../../../src/session/graph/text-uses.js';
import { graphOf, LINES_A_SYMBOL, type LiteralEdge, nodeAt } from '../../graph/build.js';

interface Written {
  symbols?: readonly string[];
  language?: string;
  state?: 'none' | 'unreadable';
  /** Text of each symbol, by its first line, or of the whole file. */
  text: readonly string[] | string;
}

interface World {
  graph: Graph;
  prepared: PreparedGraph;
  texts: TextUses;
  /** Paths that were read, in order. */
  read: string[];
  node(place: string): number;
  excuse(place: string, isDead?: (file: number, line: number) => boolean): Promise<[string, string] | null>;
}

/** `common`: words that the index does not look up. */
function world(
  files: Record<string, Written>,
  {
    edges = [],
    common = [],
    unindexed = [],
  }: { edges?: (string | LiteralEdge)[]; common?: string[]; unindexed?: string[] } = {},
): World {
  const graph = graphOf({
    files: Object.fromEntries(
      Object.entries(files).map(([path, { symbols = [], language, state }]) => [path, { symbols, language, state }]),
    ),
    edges,
  });
  const textOf = ({ text }: Written) =>
    typeof text === 'string'
      ? text
      : text.map((part) => part + '\n'.repeat(LINES_A_SYMBOL - part.split('\n').length + 1)).join('');
  const paths = Object.keys(files).sort();
  const read: string[] = [];
  const objects = {
    async read(oid: string) {
      const path = graph.tables.files.find((file) => file.oid === oid)?.path ?? '';
      read.push(path);
      return { type: 'blob', oid, content: Buffer.from(textOf(files[path])) };
    },
  };
  const indexed = paths.filter((path) => !unindexed.includes(path));
  const having = (name: string) =>
    indexed.filter((path) => textOf(files[path]).toLowerCase().includes(name.toLowerCase()));
  const index = {
    unindexed: unindexed.map((path) => graph.findFile(path)),
    filesWith: (name: string) => (common.includes(name) ? null : having(name).map((path) => graph.findFile(path))),
  };
  const prepared = { graph, objects } as unknown as PreparedGraph;
  const texts = new TextUses(prepared, index as unknown as NameIndex);
  const node = (place: string) => nodeAt(graph, place);
  return {
    ...{ graph, prepared, texts, read, node },
    async excuse(place, isDead = () => false) {
      await texts.read([node(place)]);
      const found = texts.excuseOf(node(place), isDead);
      return found === null ? null : [found.verdict, found.reason];
    },
  };
}

const total = { symbols: ['total'], text: ['function total() {\n  return 1;\n}'] };

test('a name that stands elsewhere excuses its definition, in quotes or not, unless only dead code or documentation has it', async () => {
  const { excuse, node, texts, graph } = world({
    'cart.py': {
      symbols: ['total', 'sum', 'lonely'],
      text: ['def total():\n  pass', 'def sum():\n  pass', 'def lonely():\n  pass'],
    },
    'conf.json': { state: 'none', text: '{\n  "run": "total"\n}\n' },
    'guide.md': { state: 'none', text: 'lonely\n' },
    'use.py': { text: 'x = sum\ny = sum\n' },
  });
  assert.deepEqual(await excuse('cart.py:total'), ['mentioned', 'its name stands in conf.json:2, in quotes']);
  assert.deepEqual(await excuse('cart.py:sum'), ['mentioned', 'its name stands in use.py:1']);
  const use = graph.findFile('use.py');
  const dead = (until: number) => (file: number, line: number) => file === use && line <= until;
  assert.deepEqual(await excuse('cart.py:sum', dead(1)), ['mentioned', 'its name stands in use.py:2']);
  assert.equal(await excuse('cart.py:sum', dead(2)), null);
  assert.equal(await excuse('cart.py:lonely'), null);
  assert.deepEqual(texts.placesOf(node('cart.py:lonely')), []);
  assert.equal(texts.markOf(node('cart.py:total')), null);
});

test('a name with its path before it is an entry, whatever code is dead', async () => {
  const { excuse, node, graph, texts } = world({
    'shop/cart.py': { ...total, text: ['def total():\n  pass'] },
    'a.json': { state: 'none', text: '"total"\n' },
    'conf.json': { state: 'none', text: '"shop.cart.total"\n' },
  });
  const told = ['entry-point', 'conf.json:1 names it by its path'];
  assert.deepEqual(await excuse('shop/cart.py:total', () => true), told);
  const places = texts.placesOf(node('shop/cart.py:total')) ?? [];
  assert.deepEqual(
    places.map((place) => [graph.tables.files[place.file].path, isUseOf(graph, node('shop/cart.py:total'), place)]),
    [
      ['a.json', false],
      ['conf.json', true],
    ],
  );
});

test('a common word is told as one, and has no places', async () => {
  const files = Object.fromEntries(Array.from({ length: 60 }, (_, i) => [`f${i}.py`, { text: 'total\n' }]));
  const many = world({ 'cart.ts': total, ...files });
  const reason = 'total is a common word, which was not looked up in the text of all files';
  assert.deepEqual(await many.excuse('cart.ts:total'), ['mentioned', reason]);
  assert.equal(many.texts.placesOf(many.node('cart.ts:total')), null);
  assert.equal(many.texts.tellingPlaces(many.node('cart.ts:total')), null);
  const few = world({ 'cart.ts': total, ...Object.fromEntries(Object.entries(files).slice(1)) });
  assert.deepEqual(await few.excuse('cart.ts:total'), ['mentioned', 'its name stands in f1.py:1']);
  const one = world({ 'cart.ts': total, 'a.py': { text: 'total\n' } });
  await one.texts.read([one.node('cart.ts:total')], 1);
  assert.equal(one.texts.placesOf(one.node('cart.ts:total')), null, 'the definition and one more are two files');
  const short = world({ 'cart.ts': total }, { common: ['total'] });
  assert.deepEqual(await short.excuse('cart.ts:total'), ['mentioned', reason]);
});

test('a name is looked up once, with all others of the answer, and files without an index are read for each', async () => {
  const { read, texts, node } = world(
    {
      'big.py': { state: 'unreadable', text: 'total\n' },
      'cart.ts': { symbols: ['total', 'sum'], text: [total.text[0], 'function sum() {}'] },
      'use.py': { text: 'total\nsum\n' },
    },
    { unindexed: ['big.py'] },
  );
  const nodes = [node('cart.ts:total'), node('cart.ts:sum')];
  await texts.read(nodes);
  assert.deepEqual(read.sort(), ['big.py', 'cart.ts', 'use.py']);
  const lines = nodes.map((each) => texts.placesOf(each)?.map(({ file, line }) => `${file}:${line}`));
  assert.deepEqual(lines, [['2:1', '0:1'], ['2:2']]);
  await texts.read(nodes);
  assert.deepEqual(
    nodes.map((each) => texts.placesOf(each)?.length),
    [2, 1],
  );
});

test('an import counts in a file that does not use what it brings, and lines of the definition never', async () => {
  const files = {
    'cart.ts': { symbols: ['total', 'sum'], text: ['function total() {\n  total();\n}', 'function sum() {}'] },
    'idle.ts': { text: "import { total } from './cart';\n" },
    'use.ts': { symbols: ['run'], text: ["import { total } from './cart'; function run() {\n  total();\n}"] },
  };
  const imports = ['idle.ts', 'use.ts'].map((from) => ({ from, to: 'cart.ts', kind: 'import' as const, line: 1 }));
  const call = { from: 'use.ts:run', to: 'cart.ts:total', line: 2 };
  const { texts, node, graph } = world(files, { edges: [...imports, call] });
  await texts.read([node('cart.ts:total')]);
  const places = texts.placesOf(node('cart.ts:total')) ?? [];
  assert.deepEqual(
    places.map(({ file, line, isImport }) => [graph.tables.files[file].path, line, isImport]),
    [['idle.ts', 1, true]],
  );
  assert.deepEqual(
    [0, 1, 9, 10].map((line) => contains(graph, node('cart.ts:total'), line)),
    [false, true, true, false],
  );
});

test('a file that has a part of a name in quotes may make it, where types are unstated and the name is not exported', async () => {
  const made = (symbol: string, language?: string) =>
    world({
      'load.py': { symbols: [symbol], language, text: ['def load_json():\n  pass'] },
      'other.py': { text: 'run(f"load_{kind}")\n' },
    });
  const local = made('local load_json');
  const reason = 'other.py has load_ in quotes, and may make its name of it';
  assert.deepEqual(await local.excuse('load.py:load_json'), null, 'shorter than any part that is looked for');
  const files = (exported: boolean, language?: string) => ({
    'load.py': {
      ...{ symbols: [`${exported ? '' : 'local '}reload_json`], language },
      text: ['def reload_json():\n  pass'],
    },
    'other.py': { text: 'run(f"reload_{kind}")\n' },
  });
  const told = ['mentioned', reason.replace('load_', 'reload_')];
  const own = world(files(false));
  assert.deepEqual(await own.excuse('load.py:reload_json'), told);
  assert.equal(own.texts.markOf(own.node('load.py:reload_json')), told[1]);
  assert.equal(await world(files(true)).excuse('load.py:reload_json'), null);
  assert.equal(await world(files(false, 'java')).excuse('load.py:reload_json'), null, 'types are stated');
  const often = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`f${i}.py`, { text: 'reload_\n' }]));
  assert.equal(await world({ ...files(false), ...often }).excuse('load.py:reload_json'), null, 'a common part');
  const { 'f0.py': _, ...fewer } = often;
  // The definition itself has the part, too.
  const { 'f1.py': __, ...fewest } = fewer;
  assert.deepEqual(await world({ ...files(false), ...fewest }).excuse('load.py:reload_json'), told);
});

test('a macro of the file or of a header may make a name; in a language without such macros none does', async () => {
  const files = (language: string, header: string) => ({
    'cart.c': { symbols: ['cart_init'], language, text: ['void cart_init(void) {\n}'] },
    'type.h': { language, text: header },
  });
  const told = ['mentioned', 'a macro of its file or of a header may make its name'];
  const pasting = '#define INIT(name) name ## _init()\n';
  assert.deepEqual(await world(files('c', pasting)).excuse('cart.c:cart_init'), told);
  assert.equal(await world(files('c', '#define INIT(name) name\n')).excuse('cart.c:cart_init'), null);
  assert.equal(await world(files('typescript', pasting)).excuse('cart.c:cart_init'), null);
  const own = world({
    'cart.c': {
      symbols: ['cart_init'],
      language: 'c',
      text: ['void cart_init(void) {\n}\n\nDEFINE_TYPE (Cart, cart)'],
    },
  });
  assert.deepEqual(await own.excuse('cart.c:cart_init'), told);
  const { read, texts, node } = world(files('c', pasting));
  await texts.read([node('cart.c:cart_init')]);
  await texts.read([node('cart.c:cart_init')]);
  assert.equal(read.filter((path) => path === 'type.h').length, 1, 'headers are read once');
});

test('a file that makes names while it runs, or calls members by values, may make those of its own', async () => {
  const reason = 'its file makes names while it runs, and may make this one';
  const file = (text: string, symbols = ['read_cart']) => ({ 'a.rb': { symbols, text: [text] } });
  const made = (text: string) => world(file(`def read_cart\nend\n${text}`)).excuse('a.rb:read_cart');
  assert.deepEqual(await made("call('read_' + kind)"), ['mentioned', reason]);
  assert.equal(await made("call('reads_' + kind)"), null);
  assert.equal(await made("call('read_cart_' + kind)"), null, 'nothing is left for the value');
  const members = (text: string) =>
    world(file(`class Cart\n${text}\n`, ['Cart', 'Cart.total'])).excuse('a.rb:Cart.total');
  assert.deepEqual(await members('public_send(kind)'), ['mentioned', reason]);
  assert.equal(await members('public_send("kind")'), null);
  assert.equal(await made('public_send(kind)'), null, 'it is no member');
});

test('what other languages, pages and libraries use is told as that', async () => {
  const bridge = 'extern "Rust" {\n  fn total() -> u32;\n}\n';
  const foreign = world({ 'a.rs': { ...total, text: [`fn total() {}\n${bridge}`] } });
  assert.deepEqual(await foreign.excuse('a.rs:total'), [
    'framework',
    'its file declares it for code of another language',
  ]);
  const page = (text: string) =>
    world({ 'a.html': { language: 'javascript', symbols: ['local total'], text: [`function total() {}\n${text}`] } });
  assert.deepEqual(await page('document.createElement("script")').excuse('a.html:total'), [
    ...['exported', 'other scripts of its page may use it'],
  ]);
  assert.equal(await page('').excuse('a.html:total'), null);
  const scripts = page('document.createElement("script")');
  await scripts.texts.read([scripts.node('a.html:total')]);
  assert.equal(scripts.texts.markOf(scripts.node('a.html:total')), null, 'that use is known');
});

test('templates and code of kin languages call a method by what stands behind get', async () => {
  const { texts, node, graph, excuse } = world({
    'Cart.java': {
      symbols: ['Cart', 'method Cart.getTotal'],
      text: ['class Cart {', '  int getTotal() { return 1; }'],
    },
    'cart.jsp': { language: 'html', state: 'none', text: '<p>\n#{cart.total}\n</p>\n' },
    'notes.txt': { state: 'none', text: 'cart.total\n' },
  });
  assert.deepEqual(await excuse('Cart.java:Cart.getTotal'), ['mentioned', 'its name stands in cart.jsp:2']);
  const places = texts.placesOf(node('Cart.java:Cart.getTotal')) ?? [];
  assert.deepEqual(
    places.map(({ name, file, line }) => [name, graph.tables.files[file].path, line]),
    [['total', 'cart.jsp', 2]],
  );
  assert.deepEqual(texts.excuseOfTemplate(node('Cart.java:Cart.getTotal')), {
    ...{ verdict: 'entry-point', reason: 'a library got it, and cart.jsp:2 names it' },
  });
});

test('code of the same family is no template', async () => {
  const { texts, node } = world({ 'cart.ts': total, 'use.js': { text: 'total;\n' } });
  await texts.read([node('cart.ts:total')]);
  assert.equal(texts.placesOf(node('cart.ts:total'))?.length, 1);
  assert.equal(texts.excuseOfTemplate(node('cart.ts:total')), null);
});

test('of the places of a name, documentation and code elsewhere cannot mean a private member; text can mean a function', async () => {
  const { texts, node, graph } = world({
    'Cart.java': {
      symbols: ['Cart', 'method local Cart.total', 'field local Cart.price'],
      text: ['class Cart {', '  private int total() { return 1; }', '  private int price = 1;'],
    },
    'Other.java': { text: 'int x = cart.total() + cart.price;\n' },
    'conf.json': { state: 'none', text: '["total", "price"]\n' },
  });
  const members = [node('Cart.java:Cart.total'), node('Cart.java:Cart.price')];
  await texts.read(members);
  const told = (places: readonly { file: number }[] | null) => places?.map(({ file }) => graph.tables.files[file].path);
  for (const member of members) assert.deepEqual(told(texts.placesOf(member)), ['Other.java', 'conf.json']);
  assert.deepEqual(told(texts.tellingPlaces(members[0])), []);
  assert.deepEqual(told(texts.tellingPlaces(members[1])), ['conf.json']);
  const nothing = { graph, objects: { read: async () => null } } as unknown as PreparedGraph;
  assert.deepEqual(await fileOwnAmong(nothing, members), new Set());
});

test('nodes that only their file can name are found by their declarations, the first forty of them', async () => {
  const symbols = ['Cart', 'method Cart.total', 'method Cart.sum'];
  const text = ['class Cart {', '  private int total() {}', '  public int sum() {}'];
  const { prepared, node } = world({
    'Cart.java': { symbols, text },
    'a.go': { symbols: ['run'], text: ['private run'] },
  });
  const nodes = ['Cart.java', 'Cart.java:Cart.total', 'Cart.java:Cart.sum', 'a.go:run'].map(node);
  const own = new Set([node('Cart.java:Cart.total')]);
  assert.deepEqual(await fileOwnAmong(prepared, nodes), own);
  assert.deepEqual(await fileOwnAmong(prepared, [...Array(36).fill(nodes[2]), ...nodes]), own);
  assert.deepEqual(await fileOwnAmong(prepared, [...Array(39).fill(nodes[2]), ...nodes]), new Set());
});
