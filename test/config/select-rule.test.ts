import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import * as excluded from '../../src/config/excluded-names.js';
import { createRuleFinder, createSelector } from '../../src/config/select.js';

const OPTIONS = {
  include: ['vendor/ours'],
  exclude: ['gen', 'docs/*.md'],
  ignoreFile: '# notes\n\n*.log\r\n!keep.log\nbuild/\nbuild/*.txt\n',
};
const ruleOf = createRuleFinder(OPTIONS);

/** `reason pattern`, with the line of an ignore file. */
function rule(path: string): string | null {
  const found = ruleOf(path);
  if (found === null) return null;
  return `${found.reason} ${found.pattern}${found.line === null ? '' : `:${found.line}`}`;
}

test('the rule names the list entry, glob or line that leaves a path out', () => {
  const expected: Readonly<Record<string, string | null>> = {
    'tls/server.PEM': 'secret *.pem',
    'infra/prod.tfvars.json': 'secret *.tfvars.json',
    'keys/id_ed25519_deploy': 'secret id_{rsa,dsa,ecdsa,ed25519}*',
    'home/.ssh/config': 'secret .ssh/',
    'home/.docker/config.json': 'secret .docker/config.json',
    'app/.env.local': 'secret .env.*',
    'prod.env': 'secret *.env',
    '.env': 'secret .env',
    'a/gen/x.ts': 'excluded gen',
    'docs/a.md': 'excluded docs/*.md',
    'x/y.log': 'ignored *.log:3',
    'keep.log': null,
    'build/deep/a.txt': 'ignored build/:5',
    'web/node_modules/x/index.js': 'builtin node_modules/',
    'Cargo.lock': 'builtin cargo.lock',
    'static/a.min.js': 'builtin *.min.js',
    'app/dist/main.bundle.js': 'builtin dist/**/*.bundle.js',
    'src/vendor/github.com/x/y.go': 'builtin vendor/',
    'vendor/ours/a.rb': null,
    'src/cart.ts': null,
  };
  for (const [path, wanted] of Object.entries(expected)) assert.equal(rule(path), wanted, path);
});

test('every name of the lists leaves a file out, and names its own entry, in lower and in upper case', () => {
  const selectPlain = createSelector({ include: [], exclude: [] });
  const plainRuleOf = createRuleFinder({ include: [], exclude: [] });
  for (const name of excluded.BUILTIN_NAMES)
    for (const path of [name, `app/${name}`, `app/${name.toUpperCase()}`]) {
      assert.equal(selectPlain(path), 'builtin', path);
      assert.equal(plainRuleOf(path)?.pattern, name, path);
    }
  for (const suffix of excluded.BUILTIN_SUFFIXES)
    for (const path of [`app/a${suffix}`, `app/A${suffix.toUpperCase()}`]) {
      assert.equal(selectPlain(path), 'builtin', path);
      assert.equal(plainRuleOf(path)?.pattern, `*${suffix}`, path);
    }
});

test('a rule is found exactly where the selector leaves a path out', () => {
  const names = [...excluded.SECRET_NAMES, ...excluded.SECRET_SUFFIXES, ...excluded.SECRET_FOLDERS];
  const others = [
    ...excluded.BUILTIN_NAMES,
    ...excluded.BUILTIN_SUFFIXES,
    ...excluded.BUILTIN_FOLDERS,
    ...excluded.DIST_SUFFIXES,
  ];
  const odd = [
    'vendor',
    'composer',
    'dist',
    'gen',
    'build',
    'a.log',
    'keep.log',
    'x',
    '.aws',
    'credentials',
    'A.PEM',
    'my.env',
  ];
  const part = fc.oneof(
    fc.constantFrom(...names, ...others, ...odd),
    fc.constantFrom(...names, ...others).map((end) => `a${end}`),
  );
  const select = createSelector(OPTIONS);
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), (parts) => {
      const path = parts.join('/');
      const found = ruleOf(path);
      assert.equal(found?.reason ?? null, select(path), path);
      assert.ok(found === null || found.pattern !== '', `${path} has no rule`);
      assert.equal(found?.reason === 'ignored', (found?.line ?? null) !== null, path);
    }),
  );
});
