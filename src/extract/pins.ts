/** Versions of the parser, of the grammars, and of the packages for structural search. */
import { readFileSync } from 'node:fs';
import { packageFile, packageManifest } from '../base/version.js';

export const PACKAGE_PREFIX = '@ast-grep/lang-';

interface GrammarManifest {
  /** tree-sitter's version. */
  parser: string;
  /** Start of the SHA-256 of each module, by the grammar's name. */
  grammars: Readonly<Record<string, { from: string; sha256: string }>>;
}

const { parser, grammars } = JSON.parse(readFileSync(packageFile('grammars/manifest.json'), 'utf8')) as GrammarManifest;

/** tree-sitter and its grammars, which are part of the profile of every record. */
export const PARSER_VERSION = parser;
export const GRAMMAR_HASHES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(grammars).map(([name, { sha256 }]) => [name, sha256]),
);

/** Exact versions of the packages with native grammars, by their names. No record depends on these. */
export const PATTERN_PINS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(packageManifest().peerDependencies).filter(([name]) => name.startsWith(PACKAGE_PREFIX)),
);
export const NAPI_VERSION = packageManifest().dependencies['@ast-grep/napi'];
