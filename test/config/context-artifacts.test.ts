/** `.socraticodecontextartifacts.json`: what it may name, and what a mistake in it says. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import {
  insidePath,
  liesIn,
  MAX_ARTIFACTS,
  parseArtifacts,
  withArtifacts,
} from '../../src/config/context-artifacts.js';
import { artifactsSchema } from '../../src/config/file-schema.js';
import { createSelector } from '../../src/config/select.js';

const origin = '.socraticodecontextartifacts.json';
const parse = (value: unknown) =>
  parseArtifacts({ text: typeof value === 'string' ? value : JSON.stringify(value), origin });
const one = (over: Record<string, unknown>) => ({
  artifacts: [{ name: 'a', path: 'docs', description: 'd', ...over }],
});

test('what is inside the repository, and what leads out of it', () => {
  const inside = { 'docs/adr': 'docs/adr', './docs//adr/': 'docs/adr', 'a/../b': 'b', 'a b/ü.sql': 'a b/ü.sql' };
  for (const [path, expected] of Object.entries(inside)) assert.equal(insidePath(path), expected, path);
  const outside = ['..', '../x', 'a/../../x', '/etc/passwd', '//server/share', '\\\\server\\share', 'C:/x', 'c:\\x'];
  for (const path of outside) assert.equal(insidePath(path), null, path);
  const [artifact] = parse(one({ path: './docs/' }));
  assert.deepEqual(artifact, { name: 'a', path: './docs/', description: 'd', inside: 'docs' });
});

test('a result belongs to the innermost artifact that has it, and to none beside or outside', () => {
  const rows: [path: string, folder: string, lies: boolean][] = [
    ['docs', 'docs', true],
    ['docs/a', 'docs', true],
    ['docs-2/a', 'docs', false],
    ['a/docs/b', 'docs', false],
  ];
  for (const [path, folder, lies] of rows) assert.equal(liesIn(path, folder), lies, path);
  const artifacts = parse({
    artifacts: ['docs', 'docs/adr', '../out', 'docs/adr/x.md'].map((path, i) => ({
      ...{ name: `n${i}`, path },
      description: 'd',
    })),
  });
  const names = (list = artifacts) =>
    withArtifacts([{ path: 'docs/adr/1.md' }, { path: 'docs/adr/x.md' }, { path: 'docs/a' }, { path: 'src/a' }], list);
  assert.deepEqual(names(), [
    { path: 'docs/adr/1.md', artifact: 'n1' },
    { path: 'docs/adr/x.md', artifact: 'n3' },
    { path: 'docs/a', artifact: 'n0' },
    { path: 'src/a' },
  ]);
  assert.deepEqual(names([...artifacts].reverse()), names());
  assert.deepEqual(names([])[0], { path: 'docs/adr/1.md' });
});

const GOOD: unknown[] = [
  { artifacts: [] },
  { $schema: 'x', artifacts: [] },
  one({}),
  one({ name: 'Wiki 2.0 – ü' }),
  one({ path: '/srv/specs' }),
  one({ path: '../specs' }),
  one({ path: 'C:\\specs' }),
];
const BAD: [unknown, RegExp][] = [
  [[], /is \[\]; allowed: an object/],
  [{}, /artifacts is missing; allowed: a list/],
  [{ artifacts: {} }, /artifacts is \{\}; allowed: a list/],
  [{ artifacts: [null] }, /artifacts\[0\]: is null; allowed: an object/],
  [{ artifacts: [], more: 1 }, /unknown key "more"/],
  ['{"artifacts": [], "__proto__": 1}', /unknown key "__proto__"/],
  [one({ paths: 'x' }), /artifacts\[0\]: unknown key "paths"/],
  [one({ name: undefined }), /artifacts\[0\]\.name is missing/],
  [one({ name: ' ' }), /name is " "/],
  [one({ name: 'a/b' }), /name is "a\/b"/],
  [one({ name: 'a\u001b[2J' }), /name is "a\\u001b\[2J"/],
  [one({ name: 'a'.repeat(101) }), /name is/],
  [one({ path: 7 }), /path is 7/],
  [one({ path: '' }), /path is ""/],
  [one({ path: '.' }), /path is "\."/],
  [one({ path: 'a/..' }), /path is "a\/\.\."/],
  [one({ path: 'a\0b' }), /path is "a\\u0000b"/],
  [one({ path: 'docs\\adr' }), /written with "\/"/],
  [one({ path: '..\\..\\secret' }), /written with "\/"/],
  [one({ path: 'https://example.com/api' }), /path is "https/],
  [one({ path: 'a/'.repeat(600) }), /path is/],
  [one({ description: '' }), /description is ""/],
  [one({ description: 'x'.repeat(2_001) }), /description is/],
  [{ artifacts: [...one({}).artifacts, ...one({}).artifacts] }, /artifacts\[1\]\.name is "a"; allowed: .*different/],
  [
    { artifacts: Array.from({ length: MAX_ARTIFACTS + 1 }, (_, i) => ({ ...one({}).artifacts[0], name: `a${i}` })) },
    /at most 200/,
  ],
];

/** Asserts that a valid file fits the published schema, whose patterns are meant with the flag `u`. */
function assertPublished(value: { artifacts: Record<string, string>[] }): void {
  const { items } = (artifactsSchema().properties as Record<string, Record<string, unknown>>).artifacts;
  const { properties, required } = items as { properties: Record<string, { pattern?: string }>; required: string[] };
  for (const artifact of value.artifacts) {
    assert.deepEqual(Object.keys(artifact), required);
    for (const [key, { pattern = '' }] of Object.entries(properties))
      assert.match(artifact[key], new RegExp(pattern, 'u'));
  }
}

test('a mistake is an error that names the place; the published schema takes what the parser takes', () => {
  for (const value of GOOD) {
    parse(value);
    assertPublished(value as Parameters<typeof assertPublished>[0]);
  }
  for (const [value, message] of BAD) {
    assert.throws(
      () => parse(value),
      (error) => isSocraticodeError(error, 'BAD_CONFIG') && message.test(error.message),
      `${message}`,
    );
  }
});

test('what is no JSON, too deep or too large is refused before anything is made of it', () => {
  assert.throws(() => parse('{"artifacts": [}'), /json:1:16: not valid JSON/);
  assert.throws(() => parse(`{"artifacts": ${'['.repeat(50)}`), /more than 8 levels/);
  assert.throws(() => parse(JSON.stringify(one({})) + ' '.repeat(70_000)), /more than 65536 bytes/);
  assert.equal(parse(`\ufeff${JSON.stringify(one({}))}`).length, 1);
});

test('a named file is indexed whatever its name is, unless it looks like a secret', () => {
  const select = createSelector({
    ...{ include: [], exclude: ['docs/**', '*.sql'], ignoreFile: 'api/\n' },
    named: ['docs/adr', 'schema.sql', 'api', 'vendor/spec', 'yarn.lock'],
  });
  for (const path of ['docs/adr/1.md', 'schema.sql', 'api/v1/a.yaml', 'vendor/spec/x.yaml', 'yarn.lock'])
    assert.equal(select(path), null, path);
  const left = {
    'docs/adrx/1.md': 'excluded',
    'docs/x.md': 'excluded',
    'db/schema.sql': 'excluded',
    'a/yarn.lock': 'builtin',
  };
  for (const [path, reason] of Object.entries(left)) assert.equal(select(path), reason, path);
  for (const path of ['api/.env', 'docs/adr/id_rsa', 'api/.ssh/config']) assert.equal(select(path), 'secret', path);
});
