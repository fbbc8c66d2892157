/** Finds the file of a path without its whole extension, as TypeScript, Node and bundlers look for it. */
import type { Resolution } from '../../roles/imports.js';
import type { Project } from '../../roles/project.js';

/** TypeScript's order; what only bundlers add comes last. */
const TYPESCRIPT_ORDER = [
  '.ts',
  '.tsx',
  '.d.ts',
  '.js',
  '.jsx',
  '.mts',
  '.cts',
  '.d.mts',
  '.d.cts',
  '.mjs',
  '.cjs',
  '.json',
  '.vue',
  '.svelte',
];
/** A declaration file next to the code it declares tells less than the code. */
const JAVASCRIPT_ORDER = [
  '.js',
  '.jsx',
  '.ts',
  '.tsx',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.json',
  '.vue',
  '.svelte',
  '.d.ts',
  '.d.mts',
  '.d.cts',
];

/** Extensions in the sources by the extension that an import writes: modules are imported by the name that they have when built. */
const REWRITES: ReadonlyMap<string, readonly string[]> = new Map([
  ['.js', ['.ts', '.tsx', '.d.ts', '.js', '.jsx']],
  ['.jsx', ['.tsx', '.ts', '.d.ts', '.jsx']],
  ['.mjs', ['.mts', '.d.mts', '.mjs']],
  ['.cjs', ['.cts', '.d.cts', '.cjs']],
  ['.ts', ['.ts', '.d.ts', '.js']],
  ['.tsx', ['.tsx', '.jsx']],
  ['.mts', ['.mts', '.d.mts', '.mjs']],
  ['.cts', ['.cts', '.d.cts', '.cjs']],
]);

export type Flavour = 'typescript' | 'javascript';

export class Probe {
  private readonly order: readonly string[];

  constructor(
    private readonly project: Project,
    readonly flavour: Flavour,
  ) {
    this.order = flavour === 'typescript' ? TYPESCRIPT_ORDER : JAVASCRIPT_ORDER;
  }

  /** The file that `path` names, with or without its extension. */
  file(path: string): Resolution | null {
    if (path === '') return null;
    const rewrites = REWRITES.get(extensionOf(path));
    if (rewrites === undefined) return this.project.at(path) ?? this.withExtension(path);
    if (this.flavour === 'javascript') {
      const exact = this.project.at(path);
      if (exact !== null) return exact;
    }
    const stem = path.slice(0, path.lastIndexOf('.'));
    return this.first(stem, rewrites) ?? this.project.at(path) ?? this.withExtension(path);
  }

  /** `index` in a directory. */
  index(directory: string): Resolution | null {
    return this.withExtension(directory === '' ? 'index' : `${directory}/index`);
  }

  /** A file with this stem, its extension exchanged: of `src/cart` also `src/cart.tsx`. */
  withExtension(stem: string): Resolution | null {
    return this.first(stem, this.order);
  }

  private first(stem: string, extensions: readonly string[]): Resolution | null {
    for (const extension of extensions) {
      const found = this.project.at(stem + extension);
      if (found !== null) return found;
    }
    return null;
  }
}

/** With the dot; '' if the last name has none. */
export function extensionOf(path: string): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') ? path.slice(dot) : '';
}
