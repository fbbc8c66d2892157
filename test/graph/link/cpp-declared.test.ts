/** What C and C++ files may name without its header, and the class that a test of a framework is a part of. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeLines, graphOf, type Project } from './project.js';

const edges = (project: Project, part: string) => edgeLines(graphOf(project)).filter((line) => line.includes(part));
const uses = (project: Project, part: string) => edges(project, part).map((line) => line.split(' (')[0]);

const CART_TEST = 'struct CartTest : testing::Test {\n  void Reopen();\n};\n';

test('C++: tests with parameters are of their fixture, too, wherever the line breaks', () => {
  const call = 'a_test.cc:CartTest.Opens call a_test.cc:CartTest.Reopen';
  assert.deepEqual(uses({ 'a_test.cc': `${CART_TEST}TEST_P(CartTest, Opens) { Reopen(); }\n` }, 'Opens call'), [call]);
  const broken = { 'a_test.cc': `${CART_TEST}TEST_F(\n    CartTest, Opens) { Reopen(); }\n` };
  assert.deepEqual(uses(broken, 'Opens call'), ['a_test.cc:CartTest.Opens call a_test.cc:CartTest.Reopen']);
});

test('C++: a test without a fixture is of no class, even if one has the name of its suite', () => {
  const project = { 'a_test.cc': `${CART_TEST}TEST(CartTest, Opens) { Reopen(); }\n` };
  assert.deepEqual(
    edges(project, 'Opens call').filter((line) => line.includes('CartTest.Reopen (receiver)')),
    [],
  );
});

test('C++: only a type that other files can see stands for one that is declared', () => {
  const use = 'struct Cart;\nint use(Cart* cart);\n';
  const named = (cart: string) => uses({ 'cart.cc': cart, 'use.h': use }, 'use.h:use type');
  assert.deepEqual(named('struct Cart { int total(); };\n'), ['use.h:use type cart.cc:Cart']);
  assert.deepEqual(named('int Cart() { return 1; }\n'), ['use.h:use type ?Cart']);
});
