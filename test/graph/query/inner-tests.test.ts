/** Tests that stand among other code, how near they are, and what implements an interface by its methods alone. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBesideTests, isTestCode } from '../../../src/graph/query/node-place.js';
import { testsAmong } from '../../../src/graph/query/users.js';
import { interfacesOf, typesOf } from '../../../src/graph/query/uses.js';

import { graphOf } from '../link/project.js';

test('in Rust an attribute makes a function a test, wherever it stands', () => {
  const graph = graphOf({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': `/// Write \`#[test]\` above it.
pub fn total(a: i32) -> i32 { a }

#[test]
fn adds() { total(1); }

#[allow(dead_code)] #[tokio::test(flavor = "current_thread")]
async fn adds_later() { total(1); }

#[inline]
fn helper() { total(3); }

mod tests { fn own() { super::total(1); } }

mod total_tests { fn apart() {} }

mod tests_of_totals { fn near() {} }

mod test_runner { fn run() {} }

mod latest { fn newest() {} }

#[cfg(test)]
mod mine { fn inside() {} }

#[cfg(all(test, feature = "std"))]
fn for_tests() {}

#[cfg(feature = "test")]
fn for_a_feature() {}
`,
  });
  const tests: string[] = [];
  for (let node = 0; node < graph.nodeCount; node++) if (isTestCode(graph, node)) tests.push(graph.qualifiedName(node));
  assert.deepEqual(tests, [
    'adds',
    'adds_later',
    'tests',
    'tests.own',
    'total_tests',
    'total_tests.apart',
    'tests_of_totals',
    'tests_of_totals.near',
    'mine',
    'mine.inside',
    'for_tests',
  ]);
});

test('in Rust private code beside tests is a part of them, if only they use it', () => {
  const graph = graphOf({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/checks.rs': 'const LIMIT: u8 = 3;\npub fn open() {}\nfn helper() {}\n#[test]\nfn holds() { helper(); }\n',
    'src/cart.rs': 'fn total() {}\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { super::total(); }\n}\n',
  });
  const beside = Array.from({ length: graph.nodeCount }, (_, node) => node)
    .filter((node) => !graph.isFile(node) && !isTestCode(graph, node) && isBesideTests(graph, node))
    .map((node) => graph.qualifiedName(node));
  assert.deepEqual(beside, ['LIMIT', 'helper']);
});

test('of the uses in one test file the nearest tells how far it is', () => {
  const graph = graphOf({
    'cart.ts': 'export function total() { return 1; }\n',
    'cart.test.ts':
      "import { total } from './cart.js';\nexport function near() { return total(); }\nexport function far() { return near(); }\n",
    'other.test.ts': "import { far } from './cart.test.js';\nexport function last() { return far(); }\n",
  });
  const nodeOf = (name: string) => {
    for (let node = 0; node < graph.nodeCount; node++) if (graph.qualifiedName(node) === name) return node;
    throw new Error(name);
  };
  const use = (name: string, hop: number, line: number) => ({
    node: nodeOf(name),
    hop,
    line,
    how: 'call' as const,
    confidence: 1,
    via: 0,
  });
  // As a walk gives them: the nearest first.
  const found = testsAmong(graph, [use('near', 1, 2), use('far', 2, 3), use('last', 3, 2)]);
  assert.deepEqual(
    found.map(({ path, symbol, hops, line }) => [path, symbol, hops, line]),
    [
      ['cart.test.ts', 'near', 1, 2],
      ['other.test.ts', 'last', 3, 2],
    ],
  );
});

test('in Go a type has the methods of what it embeds, however deep, and fits the interfaces that want them', () => {
  const graph = graphOf({
    'go.mod': 'module shop\n',
    'shop.go': `package shop
type Closer interface { Close() }
type Deepest struct{}
func (d Deepest) Close() {}
type Deep struct { Deepest }
type Middle struct { Deep }
type Top struct { Middle }
type Apart struct{}
func (a Apart) Open() {}
`,
  });
  const named = (nodes: readonly number[]) => nodes.map((node) => graph.qualifiedName(node)).sort();
  let face = -1;
  for (let node = 0; node < graph.nodeCount; node++) if (graph.qualifiedName(node) === 'Closer') face = node;
  assert.deepEqual(named(typesOf(graph, face)), ['Deep', 'Deepest', 'Middle', 'Top']);
  for (let node = 0; node < graph.nodeCount; node++)
    if (graph.qualifiedName(node) === 'Top') assert.deepEqual(named(interfacesOf(graph, node)), ['Closer']);
});
