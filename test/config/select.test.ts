import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSecretTest, createSelector, type SelectorOptions } from '../../src/config/select.js';
import { cpuTimer } from '../support/processes/cpu-time.js';

const select = (options: Partial<SelectorOptions> = {}) => createSelector({ include: [], exclude: [], ...options });

/** Asserts the verdict of every path. */
function expect(selector: (path: string) => string | null, verdict: string | null, paths: string): void {
  const isSecret = createSecretTest();
  for (const path of paths.trim().split(/\s+/)) {
    assert.equal(selector(path), verdict, path);
    assert.equal(isSecret(path), verdict === 'secret', `${path}, by the test for secrets alone`);
  }
}

test('what tools wrote or copied is left out', () => {
  expect(
    select(),
    'builtin',
    `package-lock.json a/b/yarn.lock pnpm-lock.yaml Cargo.lock go.sum Gemfile.lock Pipfile.lock poetry.lock uv.lock composer.lock
     Package.resolved flake.lock node_modules/x/index.js web/node_modules/x/index.js .yarn/releases/yarn.cjs .pnp.cjs
     static/jquery.min.js a.min.css dist/app.js.map src/x.d.ts.map __snapshots__/a.test.ts.snap vendor/x/y.rb
     src/vendor/github.com/x/y.go api/vendor/composer/autoload.php app/dist/main.bundle.js ios/Pods/x.m`,
  );
});

test('source is never left out because of a folder that often holds output', () => {
  expect(
    select(),
    null,
    `lib/index.js build/main.go bin/run.sh out/x.ts target/x.rs dist/index.js packages/a.ts third_party/x.c venv/main.py
     coverage/report.ts src/vendor/model.ts app/vendor/controllers/orders.rb level.map api/x.pb.go api/x_pb2.py
     src/main.bundle.js src/lock.ts Makefile locks/yarn.lock.md admin.js minify.js snap/snapcraft.yaml pods/x.yaml`,
  );
});

test('files that look like secrets are left out, in any case and at any depth', () => {
  expect(
    select(),
    'secret',
    `.env .ENV app/.env.local .env.production .env.test prod.env tls/server.pem server.KEY a.p12 a.pfx a.jks b.keystore
     id_rsa keys/id_ed25519 id_rsa_deploy .netrc .npmrc .pypirc .htpasswd credentials.json gcp-credentials.json
     service-account.json my-service-account-prod.json x.kdbx .aws/credentials home/.docker/config.json secrets.yml
     k8s/Secrets.yaml secrets.json infra/terraform.tfstate .ssh/config x/.ssh/known_hosts .kube/config`,
  );
});

test('what only shows the form of a secret, or is about secrets, is indexed', () => {
  expect(
    select(),
    null,
    `.env.example .env.sample .env.template .env.dist .env.defaults .env.local.example example.env id_rsa.pub
     id_rsa_test.go src/credentials.ts src/secrets.ts docs/secrets.md config.json aws/credentials.go environment.ts
     src/env.ts keys.ts key .envrc serviceaccount.go monkey.json`,
  );
});

test('include brings back built-in exclusions but never secrets', () => {
  const selector = select({ include: ['vendor/ours', '*.lock', '.env', '**/*.pem'] });
  expect(selector, null, 'vendor/ours/a.rb vendor/ours/deep/b.rb Cargo.lock src/plain.ts');
  expect(selector, 'builtin', 'vendor/theirs/a.rb');
  expect(selector, 'secret', '.env a.pem');
});

test('exclude wins over include; a glob without a slash matches at any depth, folders included', () => {
  const selector = select({
    include: ['vendor'],
    exclude: ['docs/**', '*.gen.ts', 'fixtures', '/top', 'src/*/old/', 'vendor/x'],
  });
  expect(
    selector,
    'excluded',
    'docs/a.md docs/.hidden/b x/y.gen.ts a/fixtures/b/c.json top/a src/a/old/b.ts vendor/x/y',
  );
  expect(selector, null, 'a/docs/b.md y.gent.ts fixtures.ts a/top/b src/a/b/old.ts src/a/b/old/c.ts vendor/z/y');
});

test('globs with parentheses and brackets of route folders mean what they say', () => {
  const selector = select({ exclude: ['app/(admin)/**', 'c++'] });
  expect(selector, 'excluded', 'app/(admin)/page.tsx src/c++/x.cc');
  expect(selector, null, 'app/admin/page.tsx src/c/x.cc');
});

test('.socraticodeignore has the syntax of .gitignore', () => {
  const selector = select({ ignoreFile: '# comment\n/generated\n*.sql\n!keep.sql\ndata/\nLegacy\n' });
  expect(selector, 'ignored', 'generated/a.ts db/x.sql a/data/b.json Legacy/x');
  expect(selector, null, 'src/generated/a.ts db/keep.sql data legacy/x');
});

test('odd paths of a hostile tree neither throw nor stall', () => {
  const selector = select({ exclude: ['(a+)+b', '*a*a*a', '+(a|aa)b'], ignoreFile: '*b*b*b\n' });
  const long = 'a'.repeat(255);
  const usedMs = cpuTimer();
  for (const path of [
    '../evil.ts',
    '/etc/passwd',
    '',
    '.',
    'a//b',
    'new\nline.ts',
    `${long}/${long}c`,
    'b'.repeat(255),
  ])
    selector(path);
  assert.ok(usedMs() < 5_000);
  assert.throws(() => select({ ignoreFile: 'ok\n*a*a*a*a*b\n' }), /\.socraticodeignore:2/);
});

test('100,000 paths do not stall', () => {
  const paths = Array.from(
    { length: 100_000 },
    (_, i) => `packages/p${i % 200}/src/m${i % 1000}/sub/f${i % 5000}.component.ts`,
  );
  const ignoreFile = 'node_modules\n*.log\n/build\n!keep.log\nfoo/**/bar\n*.tmp\ncoverage/\n';
  const usedMs = cpuTimer();
  const selector = select({ include: ['vendor/ours'], exclude: ['docs/**', '*.gen.ts', '**/fixtures/**'], ignoreFile });
  for (const path of paths) selector(path);
  // Measured: 0.13 s on two shared cores; the bound only catches patterns that backtrack.
  assert.ok(usedMs() < 10_000);
});
