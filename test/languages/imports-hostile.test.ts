/** Whatever a repository says: no exception, no path outside of the snapshot, and an answer soon. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LANGUAGE_IDS } from '../../src/languages/registry.js';
import { createResolver, loadImports, type ResolveInput } from '../../src/languages/resolver.js';
import { IMPORT_KINDS } from '../../src/languages/roles/relation-facts.js';
import { isManifest } from '../../src/session/graph/sources.js';
import { cpuTimer } from '../support/processes/cpu-time.js';

await loadImports(LANGUAGE_IDS);

const LANGUAGES =
  `typescript tsx javascript vue svelte python go rust java kotlin scala csharp c cpp php ruby dart lua elixir haskell
  swift bash css scss less html text`.split(/\s+/);
const NAMES = [
  'a',
  'b',
  'index',
  'src',
  'lib',
  'mod',
  '__init__',
  '__proto__',
  'constructor',
  'toString',
  '@s',
  '#x',
  '*',
  '..',
  '.',
  '',
  '~',
  '@',
];
const MANIFESTS =
  `package.json tsconfig.json pnpm-workspace.yaml lerna.json pyproject.toml setup.cfg setup.py go.mod go.work Cargo.toml
  composer.json pubspec.yaml Package.swift`.split(/\s+/);
const PIECES = [
  ...NAMES,
  ...'{ } [ ] ( ) " \' : , = => / \\ :: . - # ! ? $ ` \n \0'.split(' '),
  ' ',
  'name',
  'exports',
  'imports',
  'workspaces',
  'paths',
  'extends',
  'compilerOptions',
  'module ',
  'replace ',
  'packages:\n- ',
  '[package]\n',
  '[lib]\npath=',
  '.target(name:',
  'path:',
  'psr-4',
  'autoload',
  '\u{1F600}',
  '\ud800',
];

const name = fc.constantFrom(...NAMES.filter((word) => !['', '.', '..'].includes(word)));
const path = fc
  .tuple(
    fc.array(name, { maxLength: 4 }),
    name,
    fc.constantFrom('', '.ts', '.js', '.py', '.rs', '.go', '.php', '.h', '.scss', '.json'),
  )
  .map(([folders, last, extension]) => [...folders, last + extension].join('/'));
const hostile = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.stringify(value));

const project = fc.record({
  paths: fc.uniqueArray(path, { minLength: 1, maxLength: 30 }),
  languages: fc.array(fc.constantFrom(...LANGUAGES), { minLength: 1, maxLength: 30 }),
  others: fc.uniqueArray(path, { maxLength: 5 }),
  manifests: fc.array(fc.tuple(fc.option(name), fc.constantFrom(...MANIFESTS), fc.oneof(hostile, json)), {
    maxLength: 6,
  }),
  names: fc.array(hostile, { maxLength: 5 }),
});
const imports = fc.array(
  fc.record({
    kind: fc.constantFrom(...IMPORT_KINDS),
    specifier: fc.oneof(hostile, path),
    names: fc.array(hostile, { maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 20 },
);

test('every answer is about the snapshot, and the same when asked again', () => {
  fc.assert(
    fc.property(project, imports, (made, written) => {
      const manifests = new Map(
        made.manifests.map(([folder, last, text]) => [folder === null ? last : `${folder}/${last}`, text]),
      );
      const all = [...new Set([...made.paths, ...manifests.keys()])].sort();
      const input: ResolveInput = {
        files: all.map((at, i) => ({ path: at, language: made.languages[i % made.languages.length] })),
        others: new Set(made.others.filter((other) => !all.includes(other))),
        manifests,
        declared: () => made.names,
        topLevelNames: () => made.names,
        enclosingModules: () => made.names,
      };
      const resolver = createResolver(input);
      const again = createResolver(input);
      for (let file = 0; file < all.length; file++) {
        for (const { kind, specifier, names } of written) {
          const asked = { kind, specifier, names: names.map((alias) => ({ name: alias, alias })), symbol: 0 };
          const found = resolver.resolve(file, asked);
          assert.deepEqual(again.resolve(file, asked), found);
          if (found.kind === 'files') {
            assert.ok(found.paths.length > 0);
            for (const at of found.paths) assert.ok(all.includes(at), at);
          } else if (found.kind === 'asset') assert.ok(input.others.has(found.path));
        }
        for (const peer of resolver.peers(file)) assert.ok(peer !== file && peer >= 0 && peer < all.length);
      }
      assert.equal(resolver.fingerprint(), again.fingerprint());
    }),
    { numRuns: 300 },
  );
});

const LONG = 100_000;
const LONG_SPECIFIERS = [
  '.',
  '../',
  '/',
  'a/',
  'a.',
  '::',
  'super::',
  '\\',
  '$(',
  '!',
  '?',
  '@',
  '\0',
  'dist/',
  '*',
  '{a,',
].flatMap((piece) => [piece.repeat(LONG / piece.length), piece.repeat(4000 / piece.length), piece.repeat(50)]);
const LONG_TEXTS: Record<string, string> = {
  'package.json': `{"name":"a","workspaces":[${'"**/*a*b*c*",'.repeat(5000)}"x"],"exports":{${Array.from({ length: 5000 }, (_, i) => `"./${i}/*":"./dist/${'*'.repeat(50)}"`).join()}}}`,
  'tsconfig.json': '/*'.repeat(LONG) + '"\\'.repeat(LONG),
  'go.mod': 'replace '.repeat(LONG),
  'Cargo.toml': `[a${'.a'.repeat(LONG)}]\nx=${'['.repeat(LONG)}\ny=${'{a='.repeat(LONG)}`,
  'pyproject.toml': `[[${'['.repeat(LONG)}`,
  'setup.py': 'package_dir = '.repeat(LONG / 10) + ' '.repeat(LONG),
  'Package.swift': '.target(name: "'.repeat(LONG / 10),
  'pubspec.yaml': 'name:'.repeat(LONG),
  'pnpm-workspace.yaml': `packages: [${'a,'.repeat(LONG)}`,
};

test('long specifiers and manifests cost what they weigh', () => {
  const deep = Array.from({ length: 500 }, (_, i) => `${'d/'.repeat(i)}f`);
  const files = [...deep, ...Object.keys(LONG_TEXTS)].sort();
  for (const path of Object.keys(LONG_TEXTS)) assert.ok(isManifest(path));
  const usedMs = cpuTimer();
  for (const language of LANGUAGES) {
    const resolver = createResolver({
      files: files.map((at) => ({ path: at, language })),
      others: new Set(),
      manifests: new Map(Object.entries(LONG_TEXTS)),
      declared: () => ['a'],
      topLevelNames: () => ['a'],
    });
    for (const specifier of LONG_SPECIFIERS) {
      for (const kind of ['import', 'include', 'module'] as const)
        resolver.resolve(files.length - 1, { kind, specifier, names: [] });
      resolver.resolve(0, { kind: 'import', specifier, names: [{ name: 'a', alias: 'a' }] });
    }
  }
  const seconds = usedMs() / 1000;
  assert.ok(seconds < 10, `${seconds} s`);
});

test('a pattern with thousands of targets is looked for at a few of them', () => {
  let looks = 0;
  const others = new (class extends Set<string> {
    override has(path: string): boolean {
      looks++;
      return super.has(path);
    }
  })();
  const many = Array.from({ length: 40_000 }, (_, i) => `x${i}/*`);
  const options = { baseUrl: '.', paths: { '*': many }, rootDirs: ['.', ...many.map((path) => path.slice(0, -2))] };
  const resolver = createResolver({
    files: ['a.ts', 'tsconfig.json'].map((path) => ({ path, language: 'typescript' })),
    ...{ others, manifests: new Map([['tsconfig.json', JSON.stringify({ compilerOptions: options })]]) },
    ...{ declared: () => [], topLevelNames: () => [] },
  });
  for (const specifier of ['lib/deep', './gone']) resolver.resolve(0, { kind: 'import', specifier, names: [] });
  assert.ok(looks > 100 && looks < 20_000, `${looks}`);
});
