/** Commands of test runners: which one a repository uses, and what it is told. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testCommands } from '../../src/languages/test-commands.js';

const LANGUAGES: Readonly<Record<string, string>> = {
  ...{ py: 'python', js: 'javascript', ts: 'typescript', mjs: 'javascript', go: 'go', rs: 'rust' },
  ...{ java: 'java', kt: 'kotlin', rb: 'ruby', php: 'php', c: 'c' },
};

async function commandsFor(paths: readonly string[], files: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const tests = paths.map((path) => ({
    path,
    symbol: null,
    language: LANGUAGES[path.slice(path.lastIndexOf('.') + 1)],
  }));
  const project = { has: (path: string) => path in files, read: async (path: string) => files[path] ?? null };
  return (await testCommands(tests, project)).map(({ command }) => command);
}

const scripts = (test: string, devDependencies = {}) => JSON.stringify({ scripts: { test }, devDependencies });

test('each runner gets its tests in its own way', async () => {
  const cases: [paths: string[], files: Record<string, string>, command: string][] = [
    [['tests/test_a.py', 'tests/test_b.py'], {}, 'python -m pytest tests/test_a.py tests/test_b.py'],
    [['a.test.ts'], { 'package.json': scripts('tsc && vitest run') }, 'npx vitest run a.test.ts'],
    [['a.test.js'], { 'package.json': scripts('npm run all', { jest: '1' }) }, 'npx jest a.test.js'],
    [['a.test.js'], { 'package.json': scripts('mocha test') }, 'npx mocha a.test.js'],
    [['a.test.mjs'], { 'package.json': scripts('node --test', { mocha: '1' }) }, 'node --test a.test.mjs'],
    [['e2e/a.ts'], { 'package.json': scripts('jest', { '@playwright/test': '1' }) }, 'npx playwright test e2e/a.ts'],
    [['a/x_test.go', 'a/y_test.go', 'b/z_test.go'], { 'go.mod': '' }, 'go test ./a ./b'],
    [
      ['tests/cli.rs', 'src/shop/cart.rs'],
      { 'Cargo.toml': '' },
      'cargo test --test cli && cargo test --lib -- shop::cart',
    ],
    [['src/lib.rs', 'src/a.rs'], { 'Cargo.toml': '' }, 'cargo test --lib'],
    [['src/test/java/a/CartTest.java', 'm/B.java'], { 'pom.xml': '' }, 'mvn test -Dtest=CartTest,B'],
    [['src/test/a/CartTest.kt'], { 'build.gradle.kts': '', gradlew: '' }, "./gradlew test --tests '*CartTest'"],
    [['spec/a_spec.rb'], { Gemfile: '' }, 'bundle exec rspec spec/a_spec.rb'],
    [['tests/ATest.php'], { 'phpunit.xml.dist': '' }, 'vendor/bin/phpunit tests/ATest.php'],
    [
      ['tests/ATest.php', 'tests/BTest.php'],
      { 'composer.json': '' },
      "vendor/bin/phpunit --filter '\\b(ATest|BTest)::'",
    ],
  ];
  for (const [paths, files, command] of cases) assert.deepEqual(await commandsFor(paths, files), [command]);
  assert.match((await commandsFor(['test/a_test.rb']))[0], /^ruby -Ilib -Itest -e '.*' test\/a_test\.rb$/);
  assert.deepEqual(await commandsFor(['a_test.c']), []);
});

test('tests of several packages get a command each, in the folder of their manifest', async () => {
  const files = {
    'package.json': scripts('turbo run test'),
    'packages/a/package.json': scripts('vitest'),
    'packages/b/package.json': scripts('jest'),
  };
  assert.deepEqual(await commandsFor(['packages/a/x.test.ts', 'packages/b/y.test.ts'], files), [
    'cd packages/a && npx vitest run x.test.ts',
    'cd packages/b && npx jest y.test.ts',
  ]);
});

test('names of files can neither be options nor break out of the command', async () => {
  const [command] = await commandsFor(['-x_test.py', "tests/test_$(a) 'b'.py"]);
  assert.equal(command, "python -m pytest ./-x_test.py 'tests/test_$(a) '\\''b'\\''.py'");
  assert.deepEqual(await commandsFor(['a.test.ts'], { 'package.json': '{' }), ['node --test a.test.ts']);
});
