/** Exact versions of the parser and of the grammars, from package.json. They are part of the profile of every record. */
import { packageManifest } from '../base/version.js';

export const PACKAGE_PREFIX = '@ast-grep/lang-';
const { dependencies, optionalDependencies } = packageManifest();
// The profile of all records names these versions: better no program than records under a profile of their own.
if (dependencies['@ast-grep/napi'] === undefined) throw new Error('package.json of git-socraticode is missing');

export const NAPI_VERSION = dependencies['@ast-grep/napi'];
/** Versions by package name. */
export const GRAMMAR_PINS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(optionalDependencies).filter(([name]) => name.startsWith(PACKAGE_PREFIX)),
);
