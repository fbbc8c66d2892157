/** Parameters as languages write them, and how many arguments fit. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parametersOf } from '../../../src/graph/query/signatures.js';
import { conventionsOf, loadRules, rulesOf } from '../../../src/languages/registry.js';

async function read(language: string, text: string, isMember = false) {
  await loadRules(language);
  const lexical = rulesOf(language).relations?.lexical;
  const form = conventionsOf(language).parameters;
  assert.ok(lexical && form, language);
  const found = parametersOf(text, { form, lexical, isMember });
  return found && [found.least, found.most, found.names.join()];
}

test('fewest and most arguments, with the names that are passed by place', async () => {
  const cases: [language: string, text: string, expected: unknown, isMember?: boolean][] = [
    ['typescript', 'f(a: number, b?: Map<string, number>, c = [1, 2]) {', [1, 3, 'a,b,c']],
    ['typescript', 'f(a: (x: number, y: string) => void, ...rest: A[]) {', [1, Number.POSITIVE_INFINITY, 'a']],
    ['typescript', 'f<T extends A<B>>(this: T, { a, b }: Options) {', [1, 1, '?'], true],
    ['typescript', 'f(this: Cart, a: number) {', [1, 1, 'a']],
    ['typescript', 'f(a: Options<\n  Map<K, V>,\n  W\n>, b = (x) => x.length > 0 && x < 2, c?: C) {', [1, 3, 'a,b,c']],
    ['typescript', 'f = async (a, b = "x, y") => {', [1, 2, 'a,b']],
    ['typescript', 'f = memo((a, b) => a)', null],
    ['python', 'f(self, a, b=(1, 2), *, c, d=None, **kw):', [2, Number.POSITIVE_INFINITY, 'a,b'], true],
    ['python', 'f(a, /, b: dict[str, int] = {}, # none\n  c=1):', [1, 3, 'a,b,c']],
    ['go', 'Total(a, b int, rest ...string) (int, error) {', [2, Number.POSITIVE_INFINITY, 'a,b']],
    ['java', 'total(final Map<String, List<A>> a, int[] b, String... c) {', [2, Number.POSITIVE_INFINITY, 'a,b']],
    ['rust', "total<'a>(&'a mut self, n: Vec<(u8, u8)>) -> u8 {", [1, 1, 'n'], true],
    ['csharp', 'Total(int a, string b = "x") {', [1, 2, 'a,b']],
    [
      'c',
      'total(const struct cart *cart, int (*cb)(int, int), char names[], ...) {',
      [3, Number.POSITIVE_INFINITY, 'cart,?,names'],
    ],
    ['c', 'total(void)', [0, 0, '']],
    [
      'kotlin',
      'total(a: Map<String, Int>, vararg rest: Int, b: Int = max(1, 2)): Int {',
      [1, Number.POSITIVE_INFINITY, 'a,b'],
    ],
    ['kotlin', 'total(a: Int, then: (Int) -> Unit) {', null],
    [
      'swift',
      'add(_ item: Item, to cart: Cart = .main, tags: String...) -> Int {',
      [1, Number.POSITIVE_INFINITY, '?,to'],
    ],
    ['swift', 'add(_ item: Item, then: @escaping () -> Void) {', null],
    ['ruby', 'total(a, b = [1, 2], *rest, &block)\n  a', [1, Number.POSITIVE_INFINITY, 'a,b']],
    ['ruby', 'total!\n  (a + b)', [0, 0, '']],
    ['ruby', 'total a, b\n  (a + b)', null],
    ['ruby', 'total(a, by: 1)\n', null],
    ['php', 'total(?int $a, $b = [1, 2], ...$rest) {', [1, Number.POSITIVE_INFINITY, 'a,b']],
  ];
  for (const [language, text, expected, isMember] of cases)
    assert.deepEqual(await read(language, text, isMember), expected, `${language}: ${text}`);
});
