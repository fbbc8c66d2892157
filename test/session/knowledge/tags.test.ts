/** Tags by rules: names and modules are matched as they are written, and each condition narrows a rule. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isSocraticodeError } from '../../../src/base/errors.js';
import type { TagRule } from '../../../src/config/rules.js';
import type { PreparedGraph } from '../../../src/session/graph/graphs.js';
import {
  evidenceOf,
  hashOf,
  moduleTest,
  nameTest,
  rulesOf,
  testsOf,
} from '../../../src/session/knowledge/tag-rules.js';
import { cachedTags, derivedTags, deriveTags } from '../../../src/session/knowledge/tags.js';
import { Session } from '../../../src/session/session.js';
import { graphOf, LINES_A_SYMBOL, nodeAt } from '../../graph/build.js';
import { createRepo } from '../../support/repositories/repo.js';

const few = fc.array(fc.constantFrom('a', 'b', '*'), { maxLength: 8 }).map((parts) => parts.join(''));
const word = fc.array(fc.constantFrom('a', 'b', 'A'), { maxLength: 10 }).map((parts) => parts.join(''));

test('a star stands for any text, and case does not count', () => {
  fc.assert(
    fc.property(few, word, (pattern, name) => {
      const meant = new RegExp(`^${pattern.replaceAll('*', '.*')}$`, 'i');
      assert.equal(nameTest([pattern])(name), meant.test(name), `${pattern} ${name}`);
    }),
  );
});

test('a star also stands for nothing, at the start, in the middle and at the end of a pattern', () => {
  for (const pattern of ['ab', '*ab', 'ab*', 'a*b', 'a*b*', '*a*b', '*a*b*', 'a**b**'])
    assert.ok(nameTest([pattern])('ab'), pattern);
  for (const pattern of ['a', 'b', 'a*', '*b', 'a*b', 'a*c*', '*b*b'])
    assert.equal(nameTest([pattern])('abb'), ['a*', '*b', 'a*b', '*b*b'].includes(pattern), pattern);
});

test('a pattern of many stars takes no longer than both lengths allow', () => {
  const start = process.cpuUsage();
  assert.equal(nameTest(['*a'.repeat(100)])(`${'a'.repeat(400)}b`), false);
  assert.ok(process.cpuUsage(start).user < 500_000);
});

test('a module is named with everything below it, and no module whose name only begins alike', () => {
  const test = moduleTest(['jose', 'django.db', '@auth/*', 'std::io']);
  for (const name of ['jose', 'jose/jwt', 'django.db.models', '@auth/core', 'std::io::Read'])
    assert.ok(test(name), name);
  for (const name of ['joseph', 'django.dbx', './jose', 'auth', 'std']) assert.ok(!test(name), name);
  assert.ok(!moduleTest(['https'])('https://unpkg.com/normalize.css'));
});

const GRAPH = graphOf({
  files: {
    'src/auth/token.ts': ['function sign', 'class Token', 'method Token.sign'],
    'src/log.ts': ['function log'],
    'test/log.test.ts': ['function checks'],
  },
  edges: [
    { from: 'src/log.ts', name: 'pino/file', kind: 'import', tier: 'external' },
    { from: 'src/log.ts:log', name: 'sign', receiver: 'jwt', tier: 'external' },
    { from: 'test/log.test.ts', name: 'sign', receiver: 'other', tier: 'external' },
  ],
});

/** Places that a rule tags, as `path` or `path:symbol`. */
function tagged(rule: Omit<TagRule, 'tag'>, matched?: Record<string, number[]>): string[] {
  const tests = testsOf({ tag: 'x', number: 1, isBuiltIn: false, ...rule });
  const lines = matched && new Map([[0, new Map(Object.entries(matched))]]);
  return deriveTags(GRAPH, [tests], lines).map(({ path, symbol }) => (symbol === null ? path : `${path}:${symbol}`));
}

test('conditions on files tag files, conditions on symbols tag symbols, and all of a rule must hold', () => {
  assert.deepEqual(tagged({ path: ['**/auth/**'] }), ['src/auth/token.ts']);
  assert.deepEqual(tagged({ imports: ['pino'] }), ['src/log.ts']);
  assert.deepEqual(tagged({ is: ['test'] }), ['test/log.test.ts']);
  assert.deepEqual(tagged({ is: ['!test'], language: ['typescript'] }), ['src/auth/token.ts', 'src/log.ts']);
  assert.deepEqual(tagged({ symbol: ['SIGN'] }), ['src/auth/token.ts:sign', 'src/auth/token.ts:Token.sign']);
  assert.deepEqual(tagged({ symbol: ['token.*'] }), ['src/auth/token.ts:Token.sign']);
  assert.deepEqual(tagged({ calls: ['jwt.*'] }), ['src/log.ts:log']);
  assert.deepEqual(tagged({ calls: ['sign'] }), ['src/log.ts:log', 'test/log.test.ts']);
  assert.deepEqual(tagged({ calls: ['sign'], path: ['src/**'] }), ['src/log.ts:log']);
  assert.deepEqual(tagged({ symbol: ['log*', '*.ts'] }), ['src/log.ts:log']);
  assert.deepEqual(tagged({ symbol: ['log'], imports: ['winston'] }), []);
});

const CALLS = graphOf({
  files: { 'a.ts': ['function first', 'function last', 'function bare', 'function none'] },
  edges: [
    { from: 'a.ts:first', name: 'sign', receiver: 'jwt', line: 2, tier: 'external' },
    { from: 'a.ts:first', name: 'write', receiver: 'file', line: 3, tier: 'external' },
    { from: 'a.ts:last', name: 'write', receiver: 'file', line: 12, tier: 'external' },
    { from: 'a.ts:last', name: 'sign', receiver: 'jwt', line: 13, tier: 'external' },
    { from: 'a.ts:bare', name: 'sign', line: 22, tier: 'external' },
    { from: 'a.ts:none', name: 'write', receiver: 'file', line: 32, tier: 'external' },
  ],
});

test('every call of a function counts, wherever it stands in it; a rule with a receiver is about calls that have one', () => {
  for (const [call, functions] of [
    ['sign', ['first', 'last', 'bare']],
    ['jwt.sign', ['first', 'last']],
    ['jwt->sign', ['first', 'last']],
    ['*.sign', ['first', 'last']],
    ['jwt.*', ['first', 'last']],
    ['other.sign', []],
    ['jwt', []],
  ] as const) {
    const tests = testsOf({ tag: 'x', number: 1, isBuiltIn: false, calls: [call] });
    const symbols = deriveTags(CALLS, [tests]).map(({ symbol }) => symbol);
    assert.deepEqual(symbols, functions, call);
  }
});

test('the evidence of a rule on calls is the call that fits, with its receiver and its line', () => {
  for (const [symbol, call, evidence] of [
    ['first', 'sign', ['calls jwt.sign (line 2)']],
    ['last', 'sign', ['calls jwt.sign (line 13)']],
    ['last', 'jwt.*', ['calls jwt.sign (line 13)']],
    ['bare', 'sign', ['calls sign (line 22)']],
    ['bare', '*.sign', []],
    ['none', 'sign', []],
  ] as const) {
    const rule = { tag: 'x', number: 1, isBuiltIn: false, calls: [call] };
    assert.deepEqual(
      evidenceOf(CALLS, nodeAt(CALLS, `a.ts:${symbol}`), rule, testsOf(rule)),
      evidence,
      `${symbol} ${call}`,
    );
  }
});

test('globs without a slash are about names of files and of folders around them', () => {
  assert.deepEqual(tagged({ path: ['auth'] }), ['src/auth/token.ts']);
  assert.deepEqual(tagged({ path: ['log.*', 'nothing'] }), ['src/log.ts', 'test/log.test.ts']);
  assert.deepEqual(tagged({ path: ['log.*', '!test'] }), ['src/log.ts']);
});

test('a line that an expression matches tags the innermost symbol around it, else the file', () => {
  const inSign = 2 * LINES_A_SYMBOL + 1;
  const rule = { regex: 'x' };
  assert.deepEqual(tagged(rule, { 'src/auth/token.ts': [inSign] }), ['src/auth/token.ts:Token.sign']);
  assert.deepEqual(tagged(rule, { 'src/log.ts': [9_999] }), ['src/log.ts']);
  assert.deepEqual(tagged({ ...rule, symbol: ['log'] }, { 'src/log.ts': [1] }), ['src/log.ts:log']);
});

test('built-in rules can be turned off by tag, and other rules have another hash', () => {
  const rules = (starter: string[], own: TagRule[]) => rulesOf({ tags: { starter, rules: own } });
  assert.deepEqual([...new Set(rules(['auth'], []).map(({ tag }) => tag))], ['auth']);
  const own = rules([], [{ tag: 'money', symbol: ['*Price*'] }]);
  assert.deepEqual(
    own.map(({ tag, number, isBuiltIn }) => [tag, number, isBuiltIn]),
    [['money', 1, false]],
  );
  assert.notEqual(hashOf(own), hashOf(rules([], [{ tag: 'money', symbol: ['*Cost*'] }])));
});

test('a rule without a condition, and an expression that is none, are refused with their number', () => {
  const refused = (rule: TagRule) => {
    try {
      rulesOf({ tags: { starter: [], rules: [rule] } }).map(testsOf);
    } catch (error) {
      if (isSocraticodeError(error, 'BAD_CONFIG')) return error.message;
    }
    return null;
  };
  assert.equal(refused({ tag: 'x' }), 'tags.rules[0] has no condition: it would tag every file');
  assert.match(`${refused({ tag: 'x', regex: '(' })}`, /^tags\.rules\[0\]\.regex /);
  assert.match(`${refused({ tag: 'x', regex: 'a\\nb' })}`, /spans lines/);
});

test('tags are remembered for the next process, under the very rules and the very snapshot that they are of', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  const opened = async () => {
    const session = await Session.open({ directory: repo.dir });
    t.after(() => session.close());
    return session;
  };
  const rule = (path: string) => [{ tag: 'x', number: 1, isBuiltIn: false, path: [path] }];
  const session = await opened();
  const origin = await session.origin(undefined);
  const prepared = { graph: GRAPH, origin, coverage: { covered: 3, total: 3 }, uncommitted: new Set() };
  const derivation = { target: {}, signal: new AbortController().signal };
  const { places } = await derivedTags(session, prepared as unknown as PreparedGraph, rule('src/log.ts'), derivation);
  assert.deepEqual(
    places.map(({ path }) => path),
    ['src/log.ts'],
  );
  const next = await opened();
  assert.deepEqual(cachedTags(next, origin, rule('src/log.ts'))?.places, places);
  assert.equal(cachedTags(next, origin, rule('src/auth/**')), null, 'other rules');
  assert.equal(cachedTags(next, { ...origin, key: 'another' }, rule('src/log.ts')), null, 'another snapshot');
  const compiled = '1'.repeat(40);
  assert.equal(cachedTags(next, { ...origin, compiled }, rule('src/log.ts')), null, 'with what a compiler told');
});
