/**
 * Readers of manifests. The text comes from repositories and can be anything: what cannot be parsed gives nothing. The libraries
 * are loaded when the first manifest of their kind turns up, since most questions link nothing.
 */
import { createRequire } from 'node:module';
import type * as jsonc from 'jsonc-parser';
import type picomatch from 'picomatch';
import type * as toml from 'smol-toml';
import { globFault, plainGlob, SAFE_GLOB_OPTIONS } from '../../base/glob.js';
import type { Json } from './json.js';

const require = createRequire(import.meta.url);
const MAX_GLOBS = 1_000;

/** JSON, with the comments and trailing commas that people write into configurations. Undefined for what is neither. */
export function parseJson(text: string): Json | undefined {
  const json = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  return orUndefined(() => JSON.parse(json)) ?? orUndefined(() => parseWithComments(json));
}

function parseWithComments(json: string): Json | undefined {
  const { parse } = require('jsonc-parser') as typeof jsonc;
  const errors: jsonc.ParseError[] = [];
  const value = parse(json, errors, { allowTrailingComma: true });
  return errors.length === 0 ? value : undefined;
}

/** Undefined for what is no TOML. */
export function parseToml(text: string): Json | undefined {
  return orUndefined(() => (require('smol-toml') as typeof toml).parse(text) as Json);
}

/** Deeply nested texts end in a RangeError: they are no manifests either. */
function orUndefined(parse: () => Json | undefined): Json | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

/**
 * Matches directories against the patterns of a workspace: `packages/*`, `apps/**`, `!old`, `{apps,libs}/*`. Later patterns win.
 * Patterns that could take long to match are ignored.
 */
export function directoryMatcher(patterns: readonly string[]): (directory: string) => boolean {
  const compile = require('picomatch') as typeof picomatch;
  const globs = patterns.slice(0, MAX_GLOBS).flatMap((pattern) => {
    const isNegative = pattern.startsWith('!');
    const glob = pattern.slice(isNegative ? 1 : 0).replace(/^(?:\.?\/)+|\/+$/g, '');
    if (glob === '' || globFault(glob) !== null) return [];
    return [{ isNegative, matches: compile(plainGlob(glob), SAFE_GLOB_OPTIONS) }];
  });
  return (directory) => {
    let fits = false;
    for (const { isNegative, matches } of globs) if (fits === isNegative && matches(directory)) fits = !isNegative;
    return fits;
  };
}
