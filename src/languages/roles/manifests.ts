/** Which files say what module specifiers mean. Their text is needed to link, whatever is indexed of them. */

/** Manifests are short; a longer file of that name is data, and is taken as if it weren't there. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

const NAMES: ReadonlySet<string> = new Set([
  'package.json',
  'pnpm-workspace.yaml',
  'lerna.json',
  'pyproject.toml',
  'setup.cfg',
  'setup.py',
  'go.mod',
  'go.work',
  'Cargo.toml',
  'composer.json',
  'pubspec.yaml',
  'Package.swift',
]);
/** `tsconfig.base.json`, `tsconfig-strict.json`, `base.tsconfig.json`, `jsconfig.json`. */
const TSCONFIG = /(?:^|\/)(?:[^/]*[.-])?[jt]sconfig(?:[.-][^/]*)?\.json$/;
/** Monorepos keep shared configurations in a package: `packages/typescript-config/base.json`. */
const SHARED_TSCONFIG = /(?:^|\/)(?:ts-?configs?|typescript-config)\/[^/]+\.json$/;

/** `path`: of a file in the snapshot, from the repository root. */
export function isManifest(path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (NAMES.has(name)) return true;
  return name.endsWith('.json') && (TSCONFIG.test(path) || SHARED_TSCONFIG.test(path));
}
