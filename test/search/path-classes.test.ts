/** Which files rank lower unless asked for: a table of paths, with the false friends of every rule. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PathClass } from '../../src/search/corpus.js';
import { classifyFiles, classifyPath, codeFirst } from '../../src/search/path-classes.js';
import { UNIT_FORWARDING, UNIT_GENERATED } from '../../src/shard/lexical-format.js';
import type { CatalogFile, LiveSet } from '../../src/shard/live-set.js';

const file = (path: string, more: Partial<CatalogFile> = {}): CatalogFile => ({
  ...{ path, oid: '', language: null, generated: false, vendored: false },
  ...more,
});

const TABLE: Partial<Record<PathClass, string>> = {
  source: `
    src/app.ts main.go lib/latest/resolver.ts latest/app.ts src/contest.py contest/scoring.py src/greatest.js
    src/specification.ts src/inspector.ts src/attest.go src/protest.rb src/testimonials.ts testify/assert.go
    packages/testing-library/src/render.ts packages/vitest/src/core.ts packages/jest-mock/src/index.ts
    src/TestRunner.java src/Latest.java src/Contest.kt src/Unit.kt src/AUDIT.kt src/EXIT.java src/spec.ts
    src/exampleService.ts src/example.ts src/sampler/mix.ts src/workbench/a.ts src/older.ts src/compatible.ts
    src/genesis.ts src/vendor.ts src/vendors/list.ts src/config.ts src/history.ts src/history/undo.ts src/changes.ts
    src/licenseChecker.ts src/newsletter.py src/authors.rb src/documentation.ts api/v1/users.ts
    src/Shop.Testing/Host.cs src/OrderSpecification.cs tools/amalgamate.cpp src/single.h
    src/headers/single_header_writer.cpp src/i18n/index.ts src/lang/go.ts src/lang/cs.ts src/locale/locale.ts src/po.ts
    db/v-1.2/up.rb src/rev-2024.01/a.py src/release-1.2.ts public/plugins/cart/cart.js
    src/strings.go src/translations/loader.ts languages/de.ts src/main/java/TypeSpec.java app/src/main/kotlin/SpeedTest.kt
    core/src/commonMain/kotlin/SpeedTest.kt`,
  test: `
    tests/test_login.py spec/models/user_spec.rb src/__tests__/app.ts lib/__tests/app.js src/app.test.ts src/app.spec.tsx pkg/app_test.go base/app_unittest.cc
    src/app.e2e.ts conftest.py pkg/conftest.py test_app.py src/tests.py src/test/java/App.java src/UserTest.java
    src/UserSpec.scala src/UserIT.java src/mainTest/UserTest.java mysrc/main/UserTest.java src/main/java/test/UserTest.java src/commonTest/kotlin/App.kt testdata/input.go src/__mocks__/fs.js e2e/login.ts
    src/Test/App.php packages/test-utils/src/index.ts tests/integration/app.rs
    src/Shop.Tests/Carts.cs src/Shop.Specs/Helpers/Clock.cs src/CartSpecs.cs src/CartSpecsAsync.cs src/Shop.TestUtils/Fake.cs`,
  example: 'examples/app.ts demo/app.py samples/a.cs benchmarks/sort.rs src/Button.stories.tsx tutorials/one.py',
  legacy: 'legacy/app.ts src/compat/app.ts src/old/app.ts src/app.legacy.ts polyfills/array.js',
  generated:
    'src/api.pb.go src/api_pb2.py src/generated/api.ts src/api.generated.ts lib/user.g.dart web/app.min.js configure build-aux/config.sub icons/shop.xpm extras/shop_amalgamated.hpp dist/amalgamation.c',
  vendored: `
    vendor/lib.go third_party/zlib/inflate.c node_modules/a/b.js single_include/json.hpp singleheader/json.h single-header/json.h
    3rdparty/zip/zip.c 3rd_party/a.h public/plugins/flot-1.2.3/plot.js lib/jquery-ui_1.12.1.custom/ui.js web/js/jquery-3.7.1.slim.js
    app/assets/chart-2.1/chart.js public/vendors/date/date.js`,
  declaration: 'types/app.d.ts src/app.d.mts stubs/app.pyi',
  document: 'README.md docs/guide.md docs/conf.py CHANGELOG.md LICENSE LICENSE-MIT COPYING NEWS notes.rst',
  data: `
    package.json .github/workflows/ci.yml pyproject.toml config/app.yaml icons/logo.svg
    po/de.po po/shop.pot src/messages_pt_BR.properties ios/de.lproj/Localizable.strings src/Texts.de.resx lib/l10n/app_fr.arb
    config/locales/de.yml src/locales/de.json src/locales/de.ts lang/pt_BR.php src/i18n/zh-CN/common.js locale/messages.fr.js
    src/resources/shop/Cart.scala app/src/main/resources/Cart.java
    yarn.lock Cargo.lock go.sum gradle.lockfile pnpm-lock.yaml package-lock.json`,
};

for (const [expected, paths] of Object.entries(TABLE)) {
  test(`paths that are ${expected}`, () => {
    const wrong = paths
      .trim()
      .split(/\s+/)
      .map((path) => [path, classifyPath(file(path), 0)])
      .filter(([, found]) => found !== expected);
    assert.deepEqual(wrong, []);
  });
}

test('attributes and what the shard knows decide before the path does', () => {
  assert.equal(classifyPath(file('src/app.ts', { vendored: true }), 0), 'vendored');
  assert.equal(classifyPath(file('src/app.ts', { generated: true }), 0), 'generated');
  assert.equal(classifyPath(file('src/app.ts'), UNIT_GENERATED), 'generated');
  assert.equal(classifyPath(file('src/index.ts'), UNIT_FORWARDING), 'forwarding');
  assert.equal(classifyPath(file('tests/index.ts'), UNIT_FORWARDING), 'test');
});

/** Paths that a set of files makes legacy. */
function superseded(...paths: string[]): string[] {
  const entries = paths.map((path) => file(path));
  const live = { files: { unitFlags: () => 0, language: () => 'typescript' } } as unknown as LiveSet;
  return paths.filter((_, i) => classifyFiles(live, entries)[i] === 'legacy');
}

test('a version directory beside a later one is superseded', () => {
  assert.deepEqual(superseded('api/v1/users.ts', 'api/v2/users.ts', 'api/v10/users.ts', 'web/v1/a.ts'), [
    'api/v1/users.ts',
    'api/v2/users.ts',
  ]);
  assert.deepEqual(superseded('v1/a.go', 'v2/a.go'), ['v1/a.go']);
});

test('only code becomes legacy in a superseded directory: tests and documents stay what they are', () => {
  const paths = [
    'api/v1/users.ts',
    'api/v1/users.test.ts',
    'api/v1/README.md',
    'api/v2/users.ts',
    'api/v2/users.test.ts',
  ];
  const live = { files: { unitFlags: () => 0, language: () => 'typescript' } } as unknown as LiveSet;
  const classes = classifyFiles(
    live,
    paths.map((path) => file(path)),
  );
  assert.deepEqual(classes, ['legacy', 'test', 'document', 'source', 'test']);
});

test('a version directory below the files it was copied from is superseded', () => {
  const current = ['lib/main.py', 'lib/fields.py', 'lib/types.py'];
  const old = ['lib/v1/main.py', 'lib/v1/fields.py', 'lib/v1/extra.py'];
  assert.deepEqual(superseded(...current, ...old), old);
  assert.deepEqual(superseded('lib/main.py', ...old), []);
});

test('names that only begin like a version do not count as version directories', () => {
  assert.deepEqual(
    superseded('v8/a.ts', 'v8engine/a.ts', 'video/v1x/a.ts', 'video/v2/a.ts', 'src/v1.ts', 'v/2/a.ts'),
    [],
  );
});

test('a list of files has code first, then tests, then documents, and last what only describes a package or sets up tools', () => {
  const last = [
    '.github/workflows/test.yml',
    'MANIFEST.in',
    'Makefile',
    'cart.gemspec',
    'go.mod',
    'py.typed',
    'setup.py',
  ];
  const files = [...last, 'README.md', 'test/cart.test.ts', 'lib/cart.rb', 'src/cart.ts'];
  assert.deepEqual(
    codeFirst(files, (path) => path),
    ['lib/cart.rb', 'src/cart.ts', 'test/cart.test.ts', 'README.md', ...last],
  );
});
