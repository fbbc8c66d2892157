/** Counts the corpus' code by language. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { languageOf } from '../../../src/languages/registry.js';
import { chooseFiles } from '../pairs/files.js';

/** Bytes by language id, largest first. */
export type Bytes = Map<string, number>;

/**
 * Counts the bytes of the files that pairs are made of, which limits large packages. `seen` is shared between packages.
 */
export function bytesOf(folder: string, seen: Set<string>): Bytes {
  const bytes: Bytes = new Map();
  for (const { path, language } of chooseFiles(folder, seen)) {
    bytes.set(language, (bytes.get(language) ?? 0) + statSync(join(folder, path)).size);
  }
  return bySize(bytes);
}

/** Languages with a tenth of a package's code, largest first; the largest of any kind where it holds no code. */
export function mainLanguages(bytes: Bytes): string[] {
  const code = [...bytes].filter(([id]) => isCode(id));
  const total = code.reduce((sum, [, size]) => sum + size, 0);
  const main = code.filter(([, size]) => size >= total / 10).map(([id]) => id);
  return main.length > 0 ? main : [...bytes.keys()].slice(0, 1);
}

/** Lines of packages, megabytes and share of all code, by language. */
export function table(packages: readonly Bytes[]): string {
  const sums: Bytes = new Map();
  const counts = new Map<string, number>();
  for (const bytes of packages) {
    for (const [id, size] of bytes) sums.set(id, (sums.get(id) ?? 0) + size);
    for (const id of mainLanguages(bytes)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const code = [...sums].reduce((sum, [id, size]) => sum + (isCode(id) ? size : 0), 0);
  const rows = [...bySize(sums)].map(([id, size]) => {
    const share = isCode(id) ? `${((100 * size) / code).toFixed(1)} %` : languageOf(id)?.plain;
    return `${id.padEnd(14)}${String(counts.get(id) ?? 0).padStart(5)}${(size / 1e6).toFixed(2).padStart(9)}  ${share}`;
  });
  return ['language    packages       MB  of code', ...rows].join('\n');
}

function isCode(id: string): boolean {
  return languageOf(id)?.plain === 'code' || languageOf(id)?.plain === 'style';
}

function bySize(bytes: Bytes): Bytes {
  return new Map([...bytes].sort((a, b) => b[1] - a[1]));
}
