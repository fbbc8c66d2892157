/** The package's own package.json, found from both directories that the code is compiled to. */
import { readFileSync } from 'node:fs';

interface PackageManifest {
  version: string;
  dependencies: Readonly<Record<string, string>>;
  optionalDependencies: Readonly<Record<string, string>>;
}

let known: PackageManifest | null = null;

export function packageManifest(): PackageManifest {
  known ??= { version: '0.0.0', dependencies: {}, optionalDependencies: {}, ...readManifest() };
  return known;
}

export function packageVersion(): string {
  return packageManifest().version;
}

function readManifest(): Partial<PackageManifest> {
  for (const up of ['../../package.json', '../../../package.json']) {
    try {
      return JSON.parse(readFileSync(new URL(up, import.meta.url), 'utf8')) as PackageManifest;
    } catch {
      // The other directory.
    }
  }
  return {};
}
