/** Links of doc comments, in both directions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerLinks } from '../../../src/questions/docs/mentions.js';
import type { DocsLinksDocument } from '../../../src/questions/docs/question.js';
import { mentionedBlocks } from '../../../src/questions/graph/graph-text.js';
import { mentionsIn, prepareGraph } from '../../../src/questions/graph/snapshot-graph.js';
import { blockLines } from '../../../src/questions/view.js';
import { documentOf, PLAIN } from '../../support/in-process/document.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
repo.commit(
  {
    'src/cart.ts': `import { roundTotal } from './round.js';

/** Holds items; see {@link Cart.total} and \`roundTotal\`. */
export class Cart {
  /** Rounds by \`roundTotal()\`, \`rate\` and [the rules](../docs/rules.md); {@code total} is itself. */
  total(rate: number): number {
    return roundTotal(rate);
  }
}
// \`roundTotal\` in a comment of nothing.
`,
    'src/round.ts':
      '/** Used by {@link Cart#total}. */\nexport function roundTotal(x: number): number {\n  return x;\n}\n',
    'src/other.ts': 'export function roundTotals(): void {}\nexport const roundTotal = 1;\n',
    'src/till.py': 'class Till:\n    """Counts what :class:`~src.cart.Cart` gives."""\n',
    'docs/rules.md': '# Rules\n',
  },
  'comments',
);
const links = async (target: string) => {
  const found = (await documentOf(repo, (at) => answerLinks(at, { target, minConfidence: 0 }))) as DocsLinksDocument;
  const shown = (list: DocsLinksDocument['mentions']['list']) =>
    list.map(
      ({ path, line, section, target: to }) => `${path}:${line} ${section.join('.')} -> ${to.symbol ?? to.path}`,
    );
  return { mentions: shown(found.mentions.list), mentionedIn: shown(found.mentionedIn.list) };
};

test('a file, a class and a method say what their comments mention, without themselves and without parameters', async () => {
  const own = ['src/cart.ts:5 Cart.total -> docs/rules.md', 'src/cart.ts:5 Cart.total -> roundTotal'];
  assert.deepEqual((await links('Cart.total')).mentions.sort(), own);
  const all = ['src/cart.ts:3 Cart -> Cart.total', 'src/cart.ts:3 Cart -> roundTotal', ...own];
  assert.deepEqual((await links('Cart')).mentions.sort(), all);
  assert.deepEqual((await links('src/cart.ts')).mentions.sort(), all);
});

test('a symbol is told the comments that mention it, resolved by what their file uses', async () => {
  assert.deepEqual((await links('Cart.total')).mentionedIn, [
    'src/cart.ts:3 Cart -> Cart.total',
    'src/round.ts:1 roundTotal -> Cart.total',
  ]);
  assert.deepEqual((await links('src/round.ts:2')).mentionedIn, [
    'src/cart.ts:3 Cart -> roundTotal',
    'src/cart.ts:5 Cart.total -> roundTotal',
  ]);
  assert.ok((await links('Cart')).mentionedIn.includes('src/till.py:2 Till -> Cart'));
});

test('a second question to one session gives the same, and says in how many files it looked', async () => {
  await documentOf(repo, async (at) => {
    const ask = async () => (await answerLinks(at, { target: 'Cart.total', minConfidence: 0 })) as DocsLinksDocument;
    const first = await ask();
    assert.deepEqual(first.comments, { read: 2, leftOut: 0 });
    assert.deepEqual(await ask(), first);
  });
});

test('what a session knows of files from one question answers the next about other names', async () => {
  const targets = ['Cart.total', 'src/round.ts:2', 'Cart', 'Till', 'src/cart.ts'];
  const answerOf = async (at: Parameters<typeof answerLinks>[0], target: string) =>
    ((await answerLinks(at, { target, minConfidence: 0 })) as DocsLinksDocument).mentionedIn;
  await documentOf(repo, async (at) => {
    for (const target of targets) {
      const alone = await documentOf(repo, (other) => answerOf(other, target));
      assert.deepEqual(await answerOf(at, target), alone, target);
    }
  });
});

test('answers about code tell the comments of other files that mention it, uncommitted ones included', async () => {
  const told = (name: string) =>
    documentOf(repo, async (at) => {
      const prepared = await prepareGraph(at, {});
      const { mentionedIn } = await mentionsIn(at, prepared, [...prepared.graph.nodesNamed(name)]);
      return blockLines(mentionedBlocks(mentionedIn, PLAIN.pen), PLAIN.pen);
    });
  assert.deepEqual(await told('total'), ['', 'mentioned in comments of 1 file: src/round.ts:1']);
  assert.deepEqual(await told('Till'), []);
  repo.write({ 'src/new.ts': '/** Fills a {@link Till}. */\nexport function fill(): void {}\n' });
  assert.deepEqual(await told('Till'), ['', 'mentioned in comments of 1 file: src/new.ts:1']);
});
