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
    traits: 'own',
    globalFunctions: true,
    templateNames: true,
    openNamespaces: true,
    anyTypes: wordSet('mixed object'),
    collections: wordSet(
      'array list iterable Traversable Iterator IteratorAggregate Generator Collection ArrayCollection',
    ),
  }),
  conventions: {
    typesNameFiles: true,
    statesRoutes: true,
    // Laravel's default.
    routePrefix: { path: /(?:^|\/)routes\/api\.php$/, prefix: '/api' },
    parameters: { name: /\$(\w+)/, optional: /=/, rest: /\.\.\./, keyword: /^(\w+)\s*:(?!:)/ },
    topLevelCode: true,
    memberReceivers: 'always',
    boundThis: true,
    fileHead: /\bprivate\b/,
    assignedMembers: true,
    untypedMembers: true,
    possibleShares: false,
    inheritedConstructors: true,
    runtimeName: /^__\w+$/,
    readAs: { prefix: /^(?:get|is|has)_?(?=\p{Lu})/u, path: /\.twig$/ },
    testName: /^(?:test|setUp|tearDown)/,
    declarationNoise: /^(?:(?:public|final|function)\s+)+/,
    testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.php$/,
  },
};

/** Templates with code of PHP, and those of Twig and its relatives. */
const TEMPLATE = {
  plain: 'markup',
  relations: true,
  imports: php.imports,
  semantics: php.semantics,
  conventions: { topLevelCode: true, untypedMembers: true, possibleShares: false },
} as const satisfies Partial<Language>;

export const blade: Language = {
  ...TEMPLATE,
  id: 'blade',
  extensions: words('blade'),
  namePattern: /\.blade\.php$/,
  grammar: { name: 'php' },
  rules: async () => (await import('./rules.js')).blade,
};

export const twig: Language = {
  ...TEMPLATE,
  id: 'twig',
  extensions: words('twig jinja jinja2 j2 njk liquid'),
  grammar: { name: 'Html', expando: 'z' },
  rules: async () => (await import('./views.js')).twig,
};
