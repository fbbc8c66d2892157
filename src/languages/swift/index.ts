/** Swift. */
import { type Language, semantics, wordSet, words } from '../language.js';

export const swift: Language = {
  id: 'swift',
  plain: 'code',
  extensions: words('swift'),
  grammar: { name: 'swift' },
  relations: true,
  rules: async () => (await import('./rules.js')).swift,
  manifests: words('Package.swift'),
  imports: async () => (await import('./rules.js')).SWIFT,
  semantics: semantics({
    family: 'swift',
    overridesAreMarked: true,
    implicitThis: true,
    implicitMembers: true,
    parts: 'anywhere',
    constructorNames: new Set(['init']),
    anyTypes: wordSet('Any AnyObject'),
    wrappers: wordSet('Optional Result Published Binding State Weak'),
    collections: wordSet('Array Set Dictionary Sequence Collection AsyncStream ArraySlice'),
  }),
  conventions: {
    quotedNames: true,
    variants: 'type',
    overloadsAreTold: true,
    parameters: {
      // The label, which calls name; a parameter without one has `_`.
      name: /^(?:@\w+(?:\([^)]*\))?\s+)*([A-Za-z]\w*)/,
      optional: /=/,
      rest: /:[^=]*\.{3}/,
      keyword: /^([A-Za-z]\w*)\s*:(?!:)/,
      unclear: /->|@(?:autoclosure|escaping|ViewBuilder)/,
      unclearBefore: /\b(?:override|init|subscript)\b/,
      unclearArgument: /^(?!)/,
      trailingBlocks: true,
    },
    mainNames: new Set(['main']),
    scriptPath: /(?:^|\/)main\.swift$/,
    toolPath: /(?:^|\/)package\.swift$/i,
    // Members of the standard library's protocols, whose names no list of parents shows.
    runtimeNames: wordSet(
      `deinit hash hashValue encode id allCases description debugDescription errorDescription failureReason recoverySuggestion
       makeIterator next callAsFunction stringValue intValue`,
    ),
    testName: /^(?:test|setUp|tearDown)/,
    declarationNoise: /^(?:(?:public|open|final|override|func)\s+)+/,
    testPath: /(?:Test|Tests|Spec|[a-z\d]IT)\.swift$/,
  },
};
