/** PHP. */
import type { Language } from '../language.js';
import { semantics } from '../roles/semantics.js';
import { wordSet, words } from '../words.js';

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
  rules: async () => {
    const [definitions, relations] = await Promise.all([import('./definitions.js'), import('./relations.js')]);
    return { definitions: definitions.php, relations: relations.php };
  },
  manifests: words('composer.json'),
  imports: async () => (await import('./imports.js')).PHP,
  packages: {
    ecosystem: 'composer',
    manifests: words('composer.json'),
    load: async () => (await import('./packages.js')).COMPOSER,
  },
  semantics: semantics({
    family: 'php',
    paths: '\\',
    membersOutside: false,
    transitive: true,
    globalFunctions: true,
    openNamespaces: true,
    collections: wordSet('array iterable Generator Collection'),
  }),
  conventions: {
    parameters: { name: /\$(\w+)/, optional: /=/, rest: /\.\.\./, keyword: /^(\w+)\s*:(?!:)/ },
    topLevelCode: true,
    assignedMembers: true,
    untypedMembers: true,
    runtimeName: /^__\w+$/,
    testName: /^(?:test|setUp|tearDown)/,
    declarationNoise: /^(?:(?:public|final|function)\s+)+/,
    testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.php$/,
  },
};
