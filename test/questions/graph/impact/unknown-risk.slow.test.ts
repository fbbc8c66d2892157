/** A low risk is said only where uses are resolved; where they may have been missed it is unknown, with what is not known. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { answerImpact } from '../../../../src/questions/graph/impact/answer.js';
import type { GraphImpactResponse, ImpactValues } from '../../../../src/questions/graph/impact/question.js';
import { Session } from '../../../../src/session/session.js';
import { askerOf } from '../../../support/in-process/asker.js';
import { createRepo, type TestRepo } from '../../../support/repositories/repo.js';

async function impact(t: TestContext, repo: TestRepo, values: Partial<ImpactValues>): Promise<GraphImpactResponse> {
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  const document = await answerImpact(askerOf(session), { depth: 3, minConfidence: 0, ...values } as ImpactValues);
  assert.ok('risk' in document);
  return document;
}

const FILES = {
  'order.rb': [
    'class Order',
    '  def finalize',
    '    total',
    '  end',
    '  def total',
    '    1',
    '  end',
    '  def bare',
    '    2',
    '  end',
    'end',
    '',
  ].join('\n'),
  'machine.rb': 'class Machine\n  after_transition do: :finalize\nend\n',
  'jobs.yml': 'nightly: registered_job\n',
  'jobs.ts': [
    'export function registered_job(): void {}',
    'export function plainJob(): void {}',
    'export function start(): void { plainJob(); }',
    '// plainJob() runs first',
    '',
  ].join('\n'),
  'page.html': '<button onclick="start()">x</button>\n',
  'README.md': 'Call `plainJob` first.\n',
};

test('a symbol, a string in configuration or a template that names it makes a low risk unknown, with the lines', async (t) => {
  const repo = createRepo();
  repo.commit(FILES);
  const places = async (target: string) => {
    const { risk } = await impact(t, repo, { target });
    return [risk.level, risk.named ?? []];
  };
  assert.deepEqual(await places('registered_job'), ['unknown', ['jobs.yml:1']]);
  const { risk: ofHandler } = await impact(t, repo, { target: 'start' });
  assert.deepEqual([ofHandler.level, ofHandler.reasons[0]], ['unknown', '1 use of its name could not be resolved']);
  const { risk } = await impact(t, repo, { target: 'Order.finalize' });
  assert.equal(risk.level, 'unknown');
  assert.match(risk.reasons[0], /its name/);
});

test('a name in quotes, whose uses are not known, leaves the risk unknown', async (t) => {
  const repo = createRepo();
  repo.commit({
    'Rules.scala':
      'package shop\nobject Rules {\n  def word = `quoted-word`\n  def `quoted-word` = 1\n}\nobject Main extends App {\n  println(Rules.word)\n}\n',
    'Rules.kt':
      'class Rules {\n  fun word() = `quoted word`()\n  fun `quoted word`() = 1\n}\nfun main() { println(Rules().word()) }\n',
  });
  for (const target of ['quoted-word', 'quoted word']) {
    const { risk } = await impact(t, repo, { target });
    assert.deepEqual([risk.level, risk.reasons[0]], ['unknown', 'uses of a name in quotes are not known']);
  }
});

test('lines with its name are counted in many files, but not in tests', async (t) => {
  const files = { 'order.rb': 'class Order\n  def settle\n    1\n  end\nend\n', 'table.yml': 'on_close: settle\n' };
  const named = async (path: (i: number) => string) => {
    const repo = createRepo();
    const others = Array.from({ length: 70 }, (_, i) => [path(i), "it 'works' do\n  run('settle')\nend\n"]);
    repo.commit({ ...files, ...Object.fromEntries(others) });
    const { risk } = await impact(t, repo, { target: 'Order.settle' });
    assert.equal(risk.level, 'unknown');
    return [risk.reasons.find((reason) => reason.includes('elsewhere')), risk.named?.length];
  };
  assert.deepEqual(await named((i) => `lib/a${i}.rb`), ['71 lines elsewhere have its name', 5]);
  assert.deepEqual(await named((i) => `spec/a${i}_spec.rb`), ['1 line elsewhere has its name', 1]);
});

test('a comment, prose and uses that are resolved leave a low risk low', async (t) => {
  const repo = createRepo();
  repo.commit(FILES);
  assert.equal((await impact(t, repo, { target: 'plainJob' })).risk.level, 'low');
});

test('a changelog and pages in XML are prose; XML that configures is not', async (t) => {
  const repo = createRepo();
  repo.commit({
    'shop.ts': 'function readCart(): void {}\nexport function runJob(): void {}\n',
    'main.ts': "import './shop';\n",
    'src/changes/changes.xml': '<action>readCart is faster</action>\n',
    'src/site/xdoc/index.xml': '<p>readCart</p>\n',
    'CHANGES.txt': 'readCart\n',
    'jobs.xml': '<job run="runJob"/>\n',
  });
  assert.equal((await impact(t, repo, { target: 'readCart' })).risk.level, 'low');
  assert.deepEqual((await impact(t, repo, { target: 'runJob' })).risk.named, ['jobs.xml:1']);
});

test('imports and lists of what a file exports are no doubt: the uses through them are known', async (t) => {
  const repo = createRepo();
  repo.commit({
    'shop/__init__.py': 'from .prices import total\n\n__all__ = ["total"]\n',
    'shop/prices.py':
      '__all__ = [\n    "total",\n]\n\n\ndef total():\n    return 1\n\n\ndef pay():\n    return total()\n',
    'tests/test_total.py': 'from shop import total\n\n\ndef test_total():\n    assert total() == 1\n',
  });
  assert.equal((await impact(t, repo, { target: 'total', file: 'shop/prices.py' })).risk.level, 'low');
});

test('an import of a definition that its file is not known to use is a doubt, as it breaks without it', async (t) => {
  const repo = createRepo();
  repo.commit({
    'worker.ts': 'export function mailTrials(): void {}\nexport function mailBills(): void {}\n',
    'start.ts': "import { mailBills, mailTrials } from './worker';\n// mailTrials();\nmailBills();\n",
    'other.ts': "import { mailBills } from 'mailer';\nexport const mail = mailBills;\n",
  });
  const { risk } = await impact(t, repo, { target: 'mailTrials' });
  assert.deepEqual([risk.level, risk.named], ['unknown', ['start.ts:1']]);
  assert.ok(risk.reasons.includes('1 line elsewhere has its name'), risk.reasons.join('; '));
  assert.equal((await impact(t, repo, { target: 'mailBills' })).risk.named, undefined, 'its uses are known');
});

test('what a build may take instead of a used definition, and values of an enumeration that is handed on, have no low risk', async (t) => {
  const repo = createRepo();
  repo.commit({
    'Cargo.toml': '[package]\nname = "shop"\n',
    'src/lib.rs': 'pub mod tls;\npub mod connect;\n',
    'src/tls/mod.rs':
      '#[cfg(feature = "a")]\nmod a;\n#[cfg(feature = "a")]\npub use a::*;\n#[cfg(feature = "b")]\nmod b;\n#[cfg(feature = "b")]\npub use b::*;\n',
    'src/tls/a.rs': 'pub fn open_stream() -> u32 { 1 }\npub fn only_a() -> u32 { 1 }\n',
    'src/tls/b.rs': 'pub fn open_stream() -> u32 { 2 }\npub fn only_b() -> u32 { 2 }\n',
    'src/connect.rs': 'use crate::tls::open_stream;\npub fn connect() -> u32 { open_stream() }\n',
    'actions.py':
      'from enum import Enum\n\n\nclass Actions(Enum):\n    Enter = 1\n    Leave = 2\n\n\nKNOWN = list(Actions)\n',
    'main.py': 'import actions\n',
  });
  const levels = ['src/tls/a.rs', 'src/tls/b.rs'].map(
    async (file) => (await impact(t, repo, { target: 'open_stream', file })).risk.level,
  );
  assert.ok((await Promise.all(levels)).includes('unknown'));
  const alone = (await impact(t, repo, { target: 'only_b' })).risk.reasons.join();
  assert.doesNotMatch(alone, /another definition/);
  assert.equal((await impact(t, repo, { target: 'Actions.Leave' })).risk.level, 'unknown');
});

test('a declaration that says how others use it has no low risk, though nothing names it', async (t) => {
  const repo = createRepo();
  repo.commit({
    'types.ts':
      "import 'kit';\ndeclare module 'kit/jwt' {\n  interface Token {\n    id: string;\n  }\n}\nfunction spare(): number {\n  return 1;\n}\n",
    'main.ts': "import './types';\n",
    'conf.toml': '"a(b" = 1\n',
  });
  const levelAt = async (target: string) => (await impact(t, repo, { target })).risk.level;
  assert.equal(await levelAt('types.ts:2'), 'unknown');
  assert.equal(await levelAt('spare'), 'low');
  assert.equal(await levelAt('conf.toml:1'), 'unknown', 'a name may have any sign');
});

test('a use of the very name that leads nowhere makes a low risk unknown, and is counted', async (t) => {
  const repo = createRepo();
  repo.commit({
    'cart.py':
      'class Cart:\n    def settle(self):\n        return 1\n\nclass Bill:\n    def settle(self):\n        return 2\n',
    'shop.py': 'def pay(thing):\n    return thing.settle()\n',
  });
  const { risk, possible } = await impact(t, repo, { target: 'Cart.settle' });
  assert.deepEqual([risk.level, possible, risk.reasons[0]], ['unknown', 1, '1 use of its name could not be resolved']);
});

test('where most calls of a language are not resolved, or none are known, no risk is low', async (t) => {
  const repo = createRepo();
  const calls = Array.from({ length: 30 }, (_, i) => `    thing.unknown_call_${i}()`).join('\n');
  repo.commit({
    'a.py': `def lonely():\n    return 1\n\ndef blind(thing):\n${calls}\n`,
    'main.py': 'import a\n',
    'b.haml': '%p x\n',
    'q.sql': 'select 1;\n',
  });
  const python = await impact(t, repo, { target: 'lonely' });
  assert.equal(python.risk.level, 'unknown');
  assert.match(python.risk.reasons[0], /^of the calls in python that may stay in this repository, \d+% are resolved$/);
  const sql = await impact(t, repo, { target: 'q.sql' });
  assert.deepEqual([sql.risk.level, sql.risk.reasons[0]], ['unknown', 'uses are not known in sql files']);
});

test('of a change, what one symbol doubts the whole does; what is new is not doubted', async (t) => {
  const repo = createRepo();
  repo.commit(FILES);
  repo.commit({
    'jobs.ts': FILES['jobs.ts'].replace('registered_job(): void {}', 'registered_job(): void { plainJob(); }'),
  });
  const changed = await impact(t, repo, { target: 'HEAD~1..HEAD' });
  assert.equal(changed.risk.level, 'unknown');
  assert.deepEqual(
    changed.changes?.symbols.list.map(({ symbol, risk }) => [symbol, risk.level]),
    [['registered_job', 'unknown']],
  );
  repo.commit({ 'new.ts': 'export function nightly(): void {}\n' });
  assert.equal((await impact(t, repo, { target: 'HEAD~1..HEAD' })).risk.level, 'low');
});

test('of a change in which no symbol differs, it is said what is not known: content that is not read, and files that are not indexed', async (t) => {
  const repo = createRepo();
  const page = (size: number) => `<Page><Size>${size}</Size></Page>\n`;
  repo.commit({ 'pages/cart.xaml': page(1), 'cart.ts': 'export const cart = 1;\n', 'README.md': 'Shop.\n' });
  repo.commit({ 'pages/cart.xaml': page(2), 'logo.png': '\u0000PNG' });
  const { risk, changes } = await impact(t, repo, { target: 'HEAD~1..HEAD' });
  assert.deepEqual([risk.level, changes?.symbols.list], ['unknown', []]);
  assert.deepEqual(risk.reasons.slice(0, 2), [
    'pages/cart.xaml has no symbols, so what depends on the change is not known',
    '1 changed file is not indexed',
  ]);
  repo.commit({ 'README.md': 'A shop.\n', 'cart.ts': '// Carts.\nexport const cart = 1;\n' });
  assert.equal((await impact(t, repo, { target: 'HEAD~1..HEAD' })).risk.level, 'low');
});

test('what a language, a trait or a relative runs unseen has no low risk; a plain function that nothing names has', async (t) => {
  const repo = createRepo();
  repo.commit({
    'lib.rs':
      'pub trait Shape { fn area(&self) -> u8; }\npub struct Dot;\nimpl Shape for Dot {\n    fn area(&self) -> u8 { 0 }\n}\nfn alone() {}\n',
    'Codec.java':
      'public enum Codec {\n  JSON { @Override public int encode() { return 1; } };\n  public abstract int encode();\n}\n',
  });
  const risk = async (target: string) => (await impact(t, repo, { target })).risk;
  assert.equal((await risk('lib.rs:4')).level, 'unknown');
  assert.match((await risk('Codec.java:2')).reasons[0], /it overrides Codec\.encode/);
  assert.equal((await risk('alone')).level, 'low');
});

test('what text uses by its path, what templates ask a library for and what runs through a base have a medium risk', async (t) => {
  const repo = createRepo();
  repo.commit({
    'shop/middleware.py': 'class Header:\n    pass\n',
    'shop/tags.py': 'from lib import register\n\n\n@register.filter\ndef price(value):\n    return value\n',
    'settings.yaml': 'middleware: ["shop.middleware.Header"]\n',
    'templates/cart.html': '<p>{{ total|price }}</p>\n',
    'row.ts': 'export abstract class Row { abstract divider(): string; }\n',
    'made.ts': "import { Row } from './row';\nexport class Made extends Row { divider() { return '-'; } }\n",
    'show.ts': "import type { Row } from './row';\nexport const show = (row: Row) => row.divider();\n",
  });
  const risk = async (target: string) => (await impact(t, repo, { target })).risk;
  const header = await risk('Header');
  assert.deepEqual([header.level, header.named], ['medium', ['settings.yaml:1']]);
  assert.deepEqual([(await risk('price')).level, (await risk('price')).named], ['medium', ['templates/cart.html:1']]);
  const made = await risk('Made.divider');
  assert.equal(made.level, 'medium');
  assert.ok(made.reasons.includes('called through what it overrides'));
});

test('what templates and serialisers may call by the name of its value, and a type that a container makes, have an unknown risk', async (t) => {
  const repo = createRepo();
  const members = [
    'private $unit;\n  public function getTotal() { return 1; }\n  public function isOpen() { return true; }',
    'public function setUnit($unit) { $this->unit = $unit; }\n  public function getLonely() { return 2; }',
  ];
  repo.commit({
    'src/Cart.php': `<?php\nnamespace Shop;\nclass Cart {\n  ${members.join('\n  ')}\n}\n`,
    'templates/cart.html.twig': '<p>{{ cart.total }}</p>\n{% if cart.Open %}total lonely{% endif %}\n',
    'Till.java': 'public class Till {\n  public int getRest() { return 1; }\n  public int getNone() { return 2; }\n}\n',
    'Advice.java': '@ControllerAdvice\npublic class Advice {\n}\n',
    'Plain.java': '@Deprecated\npublic class Plain {\n}\nclass Shop { Plain plain; }\n',
    'till.jsp': ['<p>$', '{till.rest}</p>\n'].join(''),
  });
  const levels = async (target: string) => {
    const { risk } = await impact(t, repo, { target });
    return [risk.level, risk.named];
  };
  assert.deepEqual(await levels('Cart.getTotal'), ['unknown', ['templates/cart.html.twig:1']]);
  assert.deepEqual(await levels('Cart.isOpen'), ['unknown', ['templates/cart.html.twig:2']]);
  assert.deepEqual(await levels('Cart.setUnit'), ['unknown', undefined]);
  assert.deepEqual(await levels('Cart.getLonely'), ['unknown', undefined]);
  assert.deepEqual(await levels('Till.getRest'), ['unknown', ['till.jsp:1']]);
  assert.deepEqual(await levels('Till.getNone'), ['unknown', undefined]);
  assert.deepEqual(await levels('Advice'), ['unknown', undefined]);
  assert.deepEqual(await levels('Plain'), ['low', undefined]);
});

test('words elsewhere mean no key of a workflow, which only its service reads, but may mean one of other configuration', async (t) => {
  const repo = createRepo();
  const keys = 'on: push\nenv:\n  TOOL: 1\njobs:\n  build:\n    steps:\n      - run: make\n';
  repo.commit({ '.github/workflows/main.yml': keys, 'ci/main.yml': keys, 'run.sh': 'env | grep TOOL\n' });
  const ofKey = async (file: string) => (await impact(t, repo, { target: 'env', file })).risk.level;
  assert.equal(await ofKey('.github/workflows/main.yml'), 'low');
  assert.equal(await ofKey('ci/main.yml'), 'unknown');
});

test('what an attribute hands to other code has an unknown risk; what is only described, or has users, a low one', async (t) => {
  const repo = createRepo();
  const source = [
    '#[pyfunction]',
    'fn make_cart() -> u8 { 2 }',
    '#[inline]',
    'fn plain() -> u8 { 3 }',
    '#[pyfunction]',
    'fn used() -> u8 { 3 }',
    'fn user() -> u8 { used() }',
    '',
  ].join('\n');
  repo.commit({ 'Cargo.toml': '[package]\nname = "shop"\n', 'src/lib.rs': source });
  const level = async (target: string) => (await impact(t, repo, { target })).risk.level;
  const { risk } = await impact(t, repo, { target: 'make_cart' });
  assert.deepEqual([risk.level, risk.reasons[0]], ['unknown', 'it is marked with pyfunction, which may use it']);
  assert.deepEqual([await level('plain'), await level('used')], ['low', 'low']);
});
