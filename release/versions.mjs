/**
 * Checks that everything a release holds carries the version of `package.json`: `node release/versions.mjs` prints each place that does
 * not, with both versions. A file that is not there is passed over.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PACKAGE = 'git-socraticode';
/** Manifests with a version of their own, beside `package.json`. */
const MANIFESTS = [
  '.claude-plugin/plugin.json',
  '.cursor-plugin/plugin.json',
  'gemini-extension.json',
  'editors/vscode/package.json',
  'fleet/package.json',
];
const LOCKS = ['package-lock.json', 'editors/vscode/package-lock.json'];
/** Files that may name a version of the package, as `git-socraticode@1.2.3`, or that of an image. */
const TEXTS = ['action.yml', '.github/workflows/review.yml', 'release/Dockerfile'];
const NAMED = /\bgit-socraticode@v?(\d+\.\d+\.\d+[\w.-]*)|\bimage\.version="?(\d+\.\d+\.\d+[\w.-]*)/g;
const CHANGELOG = 'CHANGELOG.md';

/** Every place below `root` with another version, as one line each; empty if there is none. */
export function versionFaults(root = ROOT) {
  const version = readJson(root, 'package.json').version;
  return versionsBelow(root)
    .filter(([, found]) => found !== version)
    .map(([place, found]) => `${place}: ${found ?? 'no version'} instead of ${version}`);
}

/** Says why the changelog is not ready for a release of this version; null if it is. */
export function changelogFault(root = ROOT) {
  const { version } = readJson(root, 'package.json');
  const heading = `## [${version}] - `;
  const lines = readFileSync(join(root, CHANGELOG), 'utf8').split('\n');
  return lines.some((line) => line.startsWith(heading))
    ? null
    : `${CHANGELOG}: no heading "${heading}DATE": rename "## [Unreleased]"`;
}

/** Pairs of a place and the version that stands there. */
function versionsBelow(root) {
  const there = (name) => existsSync(join(root, name));
  const manifests = MANIFESTS.filter(there).flatMap((name) => {
    const { version, ...manifest } = readJson(root, name);
    return [[name, version], ...siblingVersions(name, manifest)];
  });
  const locks = LOCKS.filter(there).flatMap((name) => {
    const { version, packages } = readJson(root, name);
    const own = ['', 'fleet'].filter((path) => packages[path] && !packages[path].link);
    return [[name, version], ...own.map((path) => [`${name}, packages["${path}"]`, packages[path].version])];
  });
  const texts = TEXTS.filter(there).flatMap((name) =>
    [...readFileSync(join(root, name), 'utf8').matchAll(NAMED)].map(([, npm, image]) => [name, npm ?? image]),
  );
  return [...manifests, ...locks, ...texts];
}

/** The version of this package on which another manifest depends; a range without a number says nothing. */
function siblingVersions(name, manifest) {
  return ['dependencies', 'peerDependencies'].flatMap((group) => {
    const [found] = /\d+\.\d+\.\d+[\w.-]*/.exec(manifest[group]?.[PACKAGE] ?? '') ?? [];
    return found === undefined ? [] : [[`${name}, ${group}`, found]];
  });
}

function readJson(root, name) {
  return JSON.parse(readFileSync(join(root, name), 'utf8'));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const faults = versionFaults();
  for (const fault of faults) console.log(fault);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
