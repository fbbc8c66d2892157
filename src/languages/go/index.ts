/** Go. */
import type { Language } from '../language.js';
import { semantics } from '../roles/semantics.js';
import { words } from '../words.js';

export const go: Language = {
  id: 'go',
  plain: 'code',
  extensions: words('go'),
  grammar: { name: 'go' },
  relations: true,
  rules: async () => {
    const [definitions, relations] = await Promise.all([import('./definitions.js'), import('./relations.js')]);
    return { definitions: definitions.go, relations: relations.go };
  },
  manifests: words('go.mod go.work'),
  imports: async () => (await import('./imports.js')).GO,
  semantics: semantics({ family: 'go', parts: 'package', reopens: new Set(['class', 'struct', 'interface']) }),
  conventions: {
    mainNames: new Set(['main']),
    programPath: /(?:^|\/)cmd\/[^/]+\/main\.go$/,
    initializers: new Set(['init']),
    testName: /^(?:Test|Benchmark|Fuzz|Example)/,
    structuralInterfaces: true,
    declarationNoise: /^func\s+/,
    generatedPath: /\.pb\.go$/,
  },
};
