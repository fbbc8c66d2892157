/** Uses of what a change took away, in several languages: certain, likely or possible, by what else may have been meant. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../../support/in-process/told.js';
import { createRepo } from '../../../support/repositories/repo.js';

const repo = createRepo();
repo.commit(
  {
    'ts/price.ts':
      'export function net(): number {\n  return 1;\n}\nexport function gross(): number {\n  return 2;\n}\nexport class Tax {\n  rate(): number {\n    return 3;\n  }\n  base(): number {\n    return 4;\n  }\n}\n',
    'ts/index.ts': "export { net, gross } from './price';\nexport * from './old';\n",
    'ts/old.ts': 'export const legacy = 1;\n',
    'ts/use.ts':
      "import { gross, legacy, net } from './index';\nimport { Tax } from './price';\n\nexport function bill(tax: Tax, any: any): number {\n  any.rate();\n  return net() + gross() + tax.rate() + tax.base() + legacy;\n}\n\nexport function own(): number {\n  const net = () => 5;\n  return net();\n}\n",
    'py/price.py':
      'def net():\n    return 1\n\n\ndef gross():\n    return 2\n\n\nclass Tax:\n    def rate(self):\n        return 3\n',
    'py/use.py':
      'from py.price import Tax, gross\nfrom py import price\n\n\ndef bill(tax: Tax):\n    return price.net() + gross() + Tax().rate() + tax.rate()\n',
    'go/price.go': 'package shop\n\nfunc Net() int { return 1 }\n\nfunc Gross() int { return 2 }\n',
    'go/use.go': 'package shop\n\nfunc Bill() int { return Net() + Gross() }\n',
    'java/Price.java':
      'package shop;\n\npublic class Price {\n  public static int net() {\n    return 1;\n  }\n  public int gross() {\n    return 2;\n  }\n}\n',
    'java/Use.java':
      'package shop;\n\npublic class Use {\n  int bill(Price price) {\n    return Price.net() + price.gross();\n  }\n}\n',
    'c/price.h': 'int net(int a);\nint gross(int a);\n',
    'c/use.c': '#include "price.h"\nint bill(void) { return net(1) + gross(2); }\n',
    'rb/price.rb': 'class Price\n  def net\n    1\n  end\n  def gross\n    2\n  end\nend\n',
    'rb/use.rb': "require_relative 'price'\n\ndef bill\n  Price.new.net + Price.new.gross\nend\n",
  },
  'before',
);
repo.git('rm', '-q', 'ts/old.ts');
repo.commit(
  {
    'ts/price.ts':
      'export function netto(): number {\n  return 1;\n}\nexport class Tax {\n  base(): number {\n    return 4;\n  }\n}\n',
    'py/price.py': 'def gross():\n    return 2\n\n\nclass Tax:\n    pass\n',
    'go/price.go': 'package shop\n\nfunc Net() int { return 1 }\n',
    'java/Price.java':
      'package shop;\n\npublic class Price {\n  public int gross(int rate) {\n    return 2 * rate;\n  }\n}\n',
    'c/price.h': 'int net(int a, int b);\n',
    'rb/price.rb': 'class Price\n  def net\n    1\n  end\nend\n',
  },
  'after',
);
const { text } = await openTold(repo);

test('what is gone, renamed or called otherwise, by language; a local name and what may come from elsewhere are not certain', async () => {
  const told = await text('graph impact', { target: 'HEAD~1..HEAD', limit: 60 });
  const first = told.indexOf('\n\n');
  assert.equal(
    told.slice(first, told.indexOf('\n\naffects')),
    `

certain dangling uses
  go/use.go:3  Bill  Gross  Gross of go/price.go is gone
  java/Use.java:5  Use.bill  Price.net  Price.net of java/Price.java is gone
  py/use.py:6  bill  price.net  net of py/price.py is gone
  py/use.py:6  bill  Tax().rate  Tax.rate of py/price.py is gone
  py/use.py:6  bill  tax.rate  Tax.rate of py/price.py is gone
  rb/use.rb:4  bill  new Price().gross  Price.gross of rb/price.rb is gone
  ts/index.ts:1  net  net of ts/price.ts is netto now
  ts/index.ts:1  gross  gross of ts/price.ts is gone
  ts/index.ts:2  ./old  ts/old.ts is gone
  ts/use.ts:6  bill  tax.rate  Tax.rate of ts/price.ts is gone

likely dangling uses
  c/use.c:2  bill  gross  gross of c/price.h is gone
  ts/use.ts:6  bill  legacy  legacy of ts/old.ts is gone

calls that do not fit
  c/use.c:2  bill  net()  1 argument where it takes 2: c/price.h:1
  java/Use.java:5  Use.bill  price.gross()  0 arguments where it takes 1: java/Price.java:4

exported symbols
  - c/price.h:2  int gross(int a)
  - go/price.go:5  func Gross() int
  - java/Price.java:4  public static int net()
  - py/price.py:1  def net()
  - py/price.py:10  def rate(self)
  - rb/price.rb:5  def gross
  - ts/old.ts:1  export const legacy
  - ts/price.ts:1  export function net(): number
  - ts/price.ts:4  export function gross(): number
  - ts/price.ts:8  rate(): number
  ~ c/price.h:1  int net(int a, int b)  was int net(int a)
  ~ java/Price.java:4  public int gross(int rate)  was public int gross()
  + ts/price.ts:1  export function netto(): number`,
  );
});

test('the other way round nothing dangles but what came anew', async () => {
  const told = await text('graph impact', { target: 'HEAD..HEAD~1', limit: 60 });
  const first = told.indexOf('\n\n');
  assert.equal(
    told.slice(first, told.indexOf('\n\naffects')),
    `

exported symbols
  - ts/price.ts:1  export function netto(): number
  ~ c/price.h:1  int net(int a)  was int net(int a, int b)
  ~ java/Price.java:7  public int gross()  was public int gross(int rate)
  + c/price.h:2  int gross(int a)
  + go/price.go:5  func Gross() int
  + java/Price.java:4  public static int net()
  + py/price.py:1  def net()
  + py/price.py:10  def rate(self)
  + rb/price.rb:5  def gross
  + ts/old.ts:1  export const legacy
  + ts/price.ts:1  export function net(): number
  + ts/price.ts:4  export function gross(): number
  + ts/price.ts:8  rate(): number`,
  );
});

test('a member that only types below still have may be meant by a use of the type: it is not certain that this dangles', async () => {
  const own = createRepo();
  const members = (...names: string[]) => names.map((name) => `  ${name}() {\n    return 3;\n  }\n`).join('');
  const files = (above: string, below: string) => ({
    'price.ts': `export class Tax {\n${above}}\n`,
    'local.ts': `import { Tax } from './price';\n\nexport class Local extends Tax {\n${below}}\n`,
  });
  const use =
    "import { Tax } from './price';\n\nexport function bill(tax: Tax) {\n  return tax.rate();\n}\n\nexport function less(tax: Tax) {\n  return tax.cut();\n}\n";
  own.commit({ ...files(members('base', 'rate', 'cut'), members('name')), 'use.ts': use }, 'before');
  own.commit(files(members('base'), members('name', 'rate')), 'after');
  const asked = await openTold(own);
  const told = await asked.text('graph impact', { target: 'HEAD~1..HEAD', limit: 60 });
  const certain = /certain dangling uses\n([\s\S]*?)(?:\n\n|$)/.exec(told)?.[1].split('\n');
  assert.deepEqual(certain, ['  use.ts:8  less  tax.cut  Tax.cut of price.ts is gone'], told);
});
