/** Tests that stand among other code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTestCode } from '../../../src/graph/query/place.js';
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
`,
  });
  const tests: string[] = [];
  for (let node = 0; node < graph.nodeCount; node++) if (isTestCode(graph, node)) tests.push(graph.qualifiedName(node));
  assert.deepEqual(tests, ['adds', 'adds_later', 'tests', 'tests.own']);
});
