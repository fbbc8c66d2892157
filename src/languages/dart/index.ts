/** Dart. */
import { type Language, semantics, wordSet, words } from '../language.js';

export const dart: Language = {
  id: 'dart',
  plain: 'code',
  extensions: words('dart'),
  interpreters: words('dart'),
  grammar: { name: 'dart', expando: '$' },
  relations: true,
  rules: async () => (await import('./rules.js')).dart,
  manifests: words('pubspec.yaml'),
  imports: async () => (await import('./rules.js')).DART,
  semantics: semantics({
    family: 'dart',
    overridesAreMarked: true,
    implicitThis: true,
    traits: 'mixin',
    parts: 'anywhere',
    anyTypes: wordSet('Object dynamic'),
    wrappers: wordSet('Future FutureOr ValueNotifier Completer'),
    collections: wordSet('List Set Map Iterable Stream Queue Iterator LinkedHashMap HashMap'),
  }),
  conventions: { mainNames: new Set(['main']), testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.dart$/ },
};
