/** Go. */
import { type Language, semantics, wordSet, words } from '../language.js';

export const go: Language = {
  id: 'go',
  plain: 'code',
  extensions: words('go'),
  grammar: {
    name: 'go',
    around: [
      ['package p\nfunc _() { ', ' }'],
      ['', ''],
    ],
  },
  relations: true,
  rules: async () => (await import('./rules.js')).go,
  manifests: words('go.mod go.work'),
  imports: async () => (await import('./imports.js')).GO,
  packages: {
    ecosystem: 'go',
    manifests: words('go.mod'),
    load: async () => (await import('./imports.js')).GO_MODULES,
  },
  semantics: semantics({
    family: 'go',
    parts: 'package',
    alternatives: true,
    localsFollow: true,
    typesAreMade: true,
    reopens: new Set(['class', 'struct', 'interface']),
  }),
  conventions: {
    variants: 'package',
    fixedFields: true,
    closedTypes: true,
    mainNames: new Set(['main']),
    programPath: /(?:^|\/)cmd\/[^/]+\/main\.go$/,
    initializers: new Set(['init']),
    testName: /^(?:Test|Benchmark|Fuzz|Example)/,
    structuralInterfaces: true,
    builtins: wordSet(
      `append cap clear close complex copy delete imag len make max min new panic print println real recover any bool byte
       comparable error string true false nil iota`,
    ),
    parameters: { name: /^(\w+)/, optional: /^(?!)/, rest: /\.\.\./, listsResults: true },
    declarationNoise: /^func\s+/,
    synonyms: [['interface{}', 'any']],
    generatedPath: /\.pb\.go$/,
  },
};
