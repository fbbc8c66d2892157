/** JavaScript and TypeScript: which file a specifier means. */
import { cases } from '../imports-fixture.js';

cases(
  'relative paths: extensions, index files, built names, assets',
  {
    files: `src/a.ts src/b.ts src/b.js src/c.js src/c.d.ts src/d/index.tsx src/d.css src/e.mts src/f.cts src/g.vue src/data.json
      src/x.test.ts src/both.ts src/both/index.ts src/m.js src/legacy.js src/noext src/_vars.scss other.ts src/old.js src/deep/package.json`,
    others: 'src/logo.png',
    manifests: { 'src/deep/package.json': { main: './../b' } },
  },
  [
    ['src/a.ts', './b', 'src/b.ts'],
    ['src/a.ts', './b.js', 'src/b.ts'],
    ['src/a.ts', './c', 'src/c.d.ts'],
    ['src/legacy.js', './c', 'src/c.js'],
    ['src/legacy.js', './b.js', 'src/b.js'],
    ['src/a.ts', './d', 'src/d/index.tsx'],
    ['src/a.ts', './d/', 'src/d/index.tsx'],
    ['src/a.ts', './both', 'src/both.ts'],
    ['src/a.ts', './both/', 'src/both/index.ts'],
    ['src/d/index.tsx', '..', 'unresolved'],
    ['src/a.ts', './d.css', 'src/d.css'],
    ['src/a.ts', './e.mjs', 'src/e.mts'],
    ['src/a.ts', './f.cjs', 'src/f.cts'],
    ['src/a.ts', './g.vue', 'src/g.vue'],
    ['src/g.vue', './a', 'src/a.ts'],
    ['src/g.vue', './vars', 'src/_vars.scss'],
    ['src/a.ts', './vars', 'unresolved'],
    ['src/a.ts', './data.json', 'src/data.json'],
    ['src/a.ts', './x.test', 'src/x.test.ts'],
    ['src/a.ts', './old.ts', 'src/old.js'],
    ['src/a.ts', './noext', 'src/noext'],
    ['src/a.ts', './logo.png', 'asset src/logo.png'],
    ['src/a.ts', './logo.png?url', 'asset src/logo.png'],
    ['src/a.ts', 'raw-loader!./b', 'src/b.ts'],
    ['src/a.ts', '../other', 'other.ts'],
    ['src/a.ts', './deep', 'src/b.ts'],
    ['src/a.ts', '<include> b.ts', 'src/b.ts'],
    ['src/a.ts', './gone', 'unresolved'],
    ['src/a.ts', '../../other', 'unresolved'],
    ['src/a.ts', '../../../../etc/passwd', 'unresolved'],
    ['src/a.ts', 'node:fs', 'external node:fs'],
    ['src/a.ts', 'react/jsx-runtime', 'external react'],
    ['src/a.ts', '@scope/name/deep', 'external @scope/name'],
    ['src/a.ts', 'https://esm.sh/react', 'external https:'],
    ['src/a.ts', '__proto__', 'external __proto__'],
  ],
);

cases(
  'tsconfig: paths, baseUrl, rootDirs, through extends and references',
  {
    files: `app/src/main.ts app/src/core/cart.ts app/src/core/special.ts app/src/exact.ts app/gen/core/made.ts app/base/util/x.ts
      web/src/a.ts web/src/lib/b.ts web/src/shared.ts plain/a.ts plain/src/b.ts plain/lib/thing.ts loop/a.ts packages/kit/src/index.ts
      conf/src/a.ts conf/src/z.ts`,
    manifests: {
      'tsconfig.base.json':
        '// shared\n{ "compilerOptions": { /* from here */ "baseUrl": ".", "paths": { "kit": ["packages/kit/src",], "kit/*": ["packages/kit/src/*"], }, }, }',
      'app/tsconfig.json': {
        extends: ['../tsconfig.base.json', './tsconfig.strict'],
        compilerOptions: {
          baseUrl: './base',
          rootDirs: ['src', 'gen'],
          paths: {
            '@/*': ['../src/*'],
            '@/core/*': ['../src/core/*', '../gen/core/*'],
            '*-suffix': ['../src/*'],
            exact: ['../src/exact.ts'],
          },
        },
      },
      'app/tsconfig.strict.json': { compilerOptions: { strict: true } },
      'web/tsconfig.json': { files: [], references: [{ path: './tsconfig.app.json' }, { path: '../app' }] },
      'web/tsconfig.app.json': { extends: '@shop/config/web.tsconfig.json' },
      'configs/package.json': { name: '@shop/config' },
      'configs/web.tsconfig.json': { compilerOptions: { paths: { '#lib/*': ['\u0024{configDir}/src/lib/*'] } } },
      'package.json': { private: true, workspaces: ['configs'] },
      'plain/jsconfig.json': { compilerOptions: { baseUrl: 'src' } },
      'loop/tsconfig.json': { extends: './tsconfig.a.json' },
      'loop/tsconfig.a.json': { extends: './tsconfig.json', compilerOptions: { paths: { 'l/*': ['./*'] } } },
      'conf/tsconfig.json': 'not json at all {',
      'conf/package.json': {},
    },
  },
  [
    ['app/src/main.ts', '@/core/cart', 'app/src/core/cart.ts'],
    ['app/src/main.ts', '@/core/made', 'app/gen/core/made.ts'],
    ['app/src/main.ts', '@/exact', 'app/src/exact.ts'],
    ['app/src/main.ts', 'exact', 'app/src/exact.ts'],
    ['app/src/main.ts', 'core/special-suffix', 'app/src/core/special.ts'],
    ['app/src/main.ts', 'util/x', 'app/base/util/x.ts'],
    ['app/src/main.ts', './core/made', 'app/gen/core/made.ts'],
    ['app/src/main.ts', 'kit', 'packages/kit/src/index.ts'],
    ['web/src/a.ts', '#lib/b', 'web/src/lib/b.ts'],
    ['plain/a.ts', 'b', 'plain/src/b.ts'],
    ['loop/a.ts', 'l/a', 'loop/a.ts'],
    ['conf/src/a.ts', '@/z', 'conf/src/z.ts'],
    ['conf/src/a.ts', 'zod', 'external zod'],
  ],
);

cases(
  'packages of the repository: workspaces, exports, imports, built files',
  {
    files: `packages/cart/src/index.ts packages/cart/src/money.ts packages/cart/src/feature/a.ts packages/cart/src/feature/private/b.ts packages/cart/src/internal/x.ts packages/cart/src/node.ts
      packages/cart/src/cli/run.ts packages/ui/lib/button.js packages/ui/main.js packages/old/lib/index.ts apps/shop/main.ts apps/shop/dep/index.js
      packages/types/types/index.d.ts packages/types/src/index.ts fixtures/cart/index.js packages/mjs/src/index.mts apps/shop/src/view.ts
      tools/x.ts`,
    manifests: {
      'package.json': { workspaces: { packages: ['packages/*', '!packages/old'] } },
      'pnpm-workspace.yaml': "packages:\n  # apps\n  - 'apps/**'\n  - tools\ncatalog:\n  zod: 1\n",
      'packages/cart/package.json': {
        name: '@shop/cart',
        exports: {
          '.': { browser: null, import: { types: './dist/index.d.ts', default: './dist/index.js' } },
          './money': './dist/money.mjs',
          './features/*': './dist/feature/*.js',
          './features/private/*': null,
          './run': { default: './dist/cli/run.cjs' },
        },
        imports: { '#internal/*': './src/internal/*.ts', '#node': { default: 'node:path' }, '#own': '@shop/ui' },
      },
      'packages/ui/package.json': { name: '@shop/ui', main: 'main' },
      'packages/old/package.json': { name: 'old' },
      'packages/mjs/package.json': { name: 'mjs', module: 'dist/index.mjs' },
      'packages/types/package.json': { name: 'types-only', types: './types/index.d.ts', main: './dist/index.js' },
      'apps/shop/package.json': {
        name: 'shop',
        dependencies: { local: 'file:./dep', basket: 'workspace:@shop/cart@*', gone: 'link:../../../..' },
      },
      'apps/shop/dep/package.json': { name: 'dep-name' },
      'fixtures/cart/package.json': { name: 'fixture' },
    },
  },
  [
    ['apps/shop/main.ts', '@shop/cart', 'packages/cart/src/index.ts'],
    ['apps/shop/main.ts', '@shop/cart/money', 'packages/cart/src/money.ts'],
    ['apps/shop/main.ts', '@shop/cart/features/a', 'packages/cart/src/feature/a.ts'],
    ['apps/shop/main.ts', '@shop/cart/features/private/b', 'unresolved'],
    ['apps/shop/main.ts', '@shop/cart/run', 'packages/cart/src/cli/run.ts'],
    ['apps/shop/main.ts', '@shop/cart/src/money', 'packages/cart/src/money.ts'],
    ['apps/shop/main.ts', '@shop/cart/dist/node', 'packages/cart/src/node.ts'],
    ['apps/shop/main.ts', '@shop/cart/missing', 'unresolved'],
    ['apps/shop/main.ts', '@shop/cart/constructor', 'unresolved'],
    ['apps/shop/main.ts', '@shop/ui', 'packages/ui/main.js'],
    ['apps/shop/main.ts', '@shop/ui/lib/button', 'packages/ui/lib/button.js'],
    ['apps/shop/main.ts', 'old', 'external old'],
    ['apps/shop/main.ts', 'mjs', 'packages/mjs/src/index.mts'],
    ['apps/shop/main.ts', 'types-only', 'packages/types/types/index.d.ts'],
    ['apps/shop/main.ts', 'local', 'apps/shop/dep/index.js'],
    ['apps/shop/main.ts', 'basket', 'packages/cart/src/index.ts'],
    ['apps/shop/main.ts', 'gone', 'external gone'],
    ['apps/shop/main.ts', 'fixture', 'external fixture'],
    ['packages/cart/src/money.ts', '@shop/cart', 'packages/cart/src/index.ts'],
    ['packages/cart/src/money.ts', '#internal/x', 'packages/cart/src/internal/x.ts'],
    ['packages/cart/src/money.ts', '#node', 'external node:path'],
    ['packages/cart/src/money.ts', '#own', 'packages/ui/main.js'],
    ['packages/cart/src/money.ts', '#nothing', 'unresolved'],
    ['apps/shop/main.ts', '@/view', 'apps/shop/src/view.ts'],
    ['apps/shop/main.ts', '~/src/view', 'apps/shop/src/view.ts'],
    ['apps/shop/src/view.ts', '/main.ts', 'apps/shop/main.ts'],
    ['tools/x.ts', '@/nothing', 'unresolved'],
  ],
);

cases(
  'packages: a later target that is there comes before the source of an earlier one',
  {
    files: 'app/a.ts one/src/a.ts one/lib/b.ts two/src/a.ts',
    manifests: {
      'package.json': { workspaces: ['*'] },
      'one/package.json': { name: 'one', exports: { '.': { import: './dist/a.js', require: './lib/b.js' } } },
      'two/package.json': { name: 'two', exports: { '.': { import: './dist/a.js', require: './lib/b.js' } } },
    },
  },
  [
    ['app/a.ts', 'one', 'one/lib/b.ts'],
    ['app/a.ts', 'two', 'two/src/a.ts'],
  ],
);
