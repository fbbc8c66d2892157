/** Dart. */
import type { Language } from '../language.js';
import { semantics } from '../roles/semantics.js';
import { wordSet, words } from '../words.js';

export const dart: Language = {
  id: 'dart',
  plain: 'code',
  extensions: words('dart'),
  interpreters: words('dart'),
  grammar: { name: 'dart', expando: '$' },
  relations: true,
  rules: async () => {
    const [definitions, relations] = await Promise.all([import('./definitions.js'), import('./relations.js')]);
    return { definitions: definitions.dart, relations: relations.dart };
  },
  manifests: words('pubspec.yaml'),
  imports: async () => (await import('./imports.js')).DART,
  semantics: semantics({
    family: 'dart',
    implicitThis: true,
    parts: 'anywhere',
    wrappers: wordSet('Future FutureOr ValueNotifier Completer'),
    collections: wordSet('List Set Map Iterable Stream Queue Iterator LinkedHashMap HashMap'),
  }),
  conventions: { mainNames: new Set(['main']), testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.dart$/ },
};
