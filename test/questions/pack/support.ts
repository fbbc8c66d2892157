/** A pack without a repository: lines of made-up files, candidates in them. */
import type { Candidate, Declaration } from '../../../src/questions/pack/packing.js';
import type { Head, Selecting } from '../../../src/questions/pack/select.js';

export const headOf = (budget: number): Head => ({
  ...{
    schemaVersion: 1,
    ref: 'HEAD',
    commit: 'a'.repeat(40),
    coverage: { covered: 3, total: 3 },
    dirty: 0,
    overlay: 0,
  },
  ...{ task: 'what the cart costs', linked: false, budget },
});

export const candidate = (
  path: string,
  startLine: number,
  endLine: number,
  value = 1,
  more: Partial<Candidate> = {},
) => ({
  ...{ kind: 'code' as const, path, startLine, endLine, symbol: null, why: 'matches', value, node: -1 },
  ...more,
});

export const declaration = (path: string, startLine: number, value = 0.1): Declaration => ({
  ...{ path, startLine, endLine: startLine + 3, symbol: `f${startLine}`, why: 'calls total', value },
  text: `f${startLine}(price: number): void`,
});

/** Every line says where it stands. */
export const lineOf = (path: string, line: number): string => `  ${path}_${line}(cart.items[${line}], "price");`;

export function material(
  files: Readonly<Record<string, number>>,
  candidates: readonly Candidate[],
  declarations: readonly Declaration[] = [],
): Selecting {
  const known = new Map(
    Object.entries(files).map(([path, count]) => [path, Array.from({ length: count }, (_, i) => lineOf(path, i + 1))]),
  );
  return { graph: null, candidates, declarations, lines: (path) => known.get(path) ?? null, weigh: () => 0 };
}
