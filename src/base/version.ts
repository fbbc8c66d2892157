/** The package's own files, found from both directories that the code is compiled to. */
import { existsSync, readFileSync } from 'node:fs';

interface PackageManifest {
  version: string;
  dependencies: Readonly<Record<string, string>>;
  peerDependencies: Readonly<Record<string, string>>;
}

/** The package's folder as seen from `dist/base/` and from the test build. */
const ROOT = ['../../', '../../../']
  .map((up) => new URL(up, import.meta.url))
  .find((folder) => existsSync(new URL('package.json', folder)));

let known: PackageManifest | null = null;

export function packageManifest(): PackageManifest {
  known ??= { version: '0.0.0', dependencies: {}, peerDependencies: {}, ...readManifest() };
  return known;
}

export function packageVersion(): string {
  return packageManifest().version;
}

/** A file of the package by its path in it, which may be missing. */
export function packageFile(path: string): URL {
  return new URL(path, ROOT ?? new URL('../../', import.meta.url));
}

function readManifest(): Partial<PackageManifest> {
  try {
    return JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as PackageManifest;
  } catch {
    return {};
  }
}
