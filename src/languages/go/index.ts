/** Go. */
import { type Language, semantics, wordSet, words } from '../language.js';

const ANY = '(?:any|interface ?\\{\\})';
/** Methods of interfaces in the standard library. */
const LIBRARY_HEADS = [
  '(?:Error|String|GoString)\\(\\) string',
  'Unwrap\\(\\) (?:\\[\\])?error|Is\\(\\w+ error\\) bool|As\\(\\w+ ANY\\) bool|(?:Timeout|Temporary)\\(\\) bool',
  'Format\\(\\w+ fmt\\.State',
  '(?:Read|Write)(?:At)?\\(\\w+ \\[\\]byte|ReadFrom\\(\\w+ io\\.Reader|WriteTo\\(\\w+ io\\.Writer|WriteString\\(\\w+ string\\) \\(',
  'Close\\(\\) error|Seek\\(\\w+ int64|(?:Unr|R)ead(?:Byte|Rune)\\(\\)|WriteByte\\(\\w+ byte',
  'Len\\(\\) int|Less\\(\\w+, \\w+ int\\) bool|Swap\\(\\w+, \\w+ int\\)|Push\\(\\w+ ANY\\)|Pop\\(\\) ANY',
  'ServeHTTP\\(|RoundTrip\\(|(?:Un)?[Mm]arshal[A-Z]\\w*\\(|Gob(?:En|De)code\\(',
  'Scan\\(\\w+ ANY\\) error|Value\\(\\) \\(driver\\.Value|Set\\(\\w+ string\\) error',
  '(?:Unl|L)ock\\(\\)|Deadline\\(\\) \\(|Done\\(\\) <-chan|Network\\(\\) string|Addr\\(\\) net\\.Addr',
].map((head) => head.replaceAll('ANY', ANY));

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
    packageName: /^[^\p{Lu}]/u,
    memberReceivers: 'always',
    closedTypes: true,
    hiddenNames: 'lost',
    mainNames: new Set(['main']),
    programPath: /(?:^|\/)cmd\/[^/]+\/main\.go$/,
    initializers: new Set(['init']),
    testName: /^(?:Test|Benchmark|Fuzz|Example)/,
    exampleName: 'Example',
    structuralInterfaces: true,
    libraryHead: new RegExp(`^(?:${LIBRARY_HEADS.join('|')})`),
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
