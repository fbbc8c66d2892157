/** Small source files for tests. */
import type { Files } from './repo.js';

export const PROJECT: Files = {
  'README.md': '# Parcel tracker\n\nTracks parcels between depots.\n',
  'src/session.ts': [
    "import { readFileSync } from 'node:fs';",
    '',
    '/** Keeps the login of one user. */',
    'export class SessionStore {',
    '  private readonly tokens = new Map<string, string>();',
    '',
    '  /** Remembers a token until it expires. */',
    '  rememberToken(user: string, token: string): void {',
    '    this.tokens.set(user, token);',
    '  }',
    '}',
    '',
    'export function loadSessions(path: string): string {',
    "  return readFileSync(path, 'utf8');",
    '}',
    '',
  ].join('\n'),
  'lib/depot.py':
    'def nearest_depot(parcel, depots):\n    """Finds the closest depot."""\n    return min(depots, key=parcel.distance)\n',
  'cmd/main.go':
    'package main\n\n// Route prints the way of a parcel.\nfunc Route(id string) string {\n\treturn "route " + id\n}\n',
};

/** `count` TypeScript files with distinct content. */
export function manyFiles(count: number, directory = 'src'): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => {
      const methods = Array.from(
        { length: 6 },
        (_, m) => `  step${m}Of${i}(input: number): number {\n    return input * ${i + 1} + ${m};\n  }\n`,
      );
      return [`${directory}/part${i}.ts`, `/** Part ${i}. */\nexport class Part${i} {\n${methods.join('\n')}}\n`];
    }),
  );
}
