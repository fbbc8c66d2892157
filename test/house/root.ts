/** The top of this repository, seen from where the tests are compiled to, and its code. */
import { readdirSync, readFileSync } from 'node:fs';

export const ROOT = new URL('../../../', import.meta.url);

/** Code of the program and of the fleet, by path: `git/refs.ts` of `src`, `fleet/src/view.ts`. */
export function sourceFiles(): { path: string; text: string }[] {
  const read = (folder: string, shown: string) =>
    readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.ts'))
      .map((path) => ({ path: shown + path, text: readFileSync(new URL(folder + path, ROOT), 'utf8') }));
  return [...read('src/', ''), ...read('fleet/src/', 'fleet/src/')];
}
