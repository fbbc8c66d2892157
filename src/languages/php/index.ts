/** PHP. */
import { type Language, semantics, wordSet, words } from '../language.js';

export const php: Language = {
  id: 'php',
  plain: 'code',
  extensions: words('php php3 php4 php5 php7 phtml phpt'),
  interpreters: words('php'),
  contentStart: /^\s*<\?php\b/,
  grammar: {
    name: 'php',
    around: [
      ['<?php ', ';'],
      ['<?php ', ''],
      ['<?php class c { ', ' }'],
    ],
  },
  relations: true,
  rules: async () => (await import('./rules.js')).php,
  manifests: words('composer.json'),
  imports: async () => (await import('./imports.js')).PHP,
  packages: {
    ecosystem: 'composer',
    manifests: words('composer.json'),
    load: async () => (await import('./imports.js')).COMPOSER,
  },
  semantics: semantics({
    family: 'php',
    unstatedTypes: true,
    paths: '\\',
    membersOutside: false,
    transitive: true,
    globalFunctions: true,
    openNamespaces: true,
    collections: wordSet('array iterable Generator Collection'),
  }),
  conventions: {
    statesRoutes: true,
    // Laravel's default.
    routePrefix: { path: /(?:^|\/)routes\/api\.php$/, prefix: '/api' },
    parameters: { name: /\$(\w+)/, optional: /=/, rest: /\.\.\./, keyword: /^(\w+)\s*:(?!:)/ },
    topLevelCode: true,
    assignedMembers: true,
    untypedMembers: true,
    inheritedConstructors: true,
    runtimeName: /^__\w+$/,
    testName: /^(?:test|setUp|tearDown)/,
    declarationNoise: /^(?:(?:public|final|function)\s+)+/,
    testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.php$/,
  },
};
