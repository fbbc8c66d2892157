/** The version in package.json, found from wherever the code was compiled to. */
import { readFileSync } from 'node:fs';

export function packageVersion(): string {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      const text = readFileSync(new URL(up, import.meta.url), 'utf8');
      return (JSON.parse(text) as { version: string }).version;
    } catch {
      // Not at this depth.
    }
  }
  return '0.0.0';
}
