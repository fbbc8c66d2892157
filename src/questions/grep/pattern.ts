/** Patterns of `grep`: one of lines, or one of syntax. */
import { SocraticodeError } from '../../base/errors.js';
import { compilePattern, type Pattern } from '../../search/grep/pattern.js';
import type { StructuralPattern } from '../../session/grep/structural.js';
import type { GrepValues } from './params.js';

/** Options that say how lines match. */
const OF_LINES = ['fixed', 'words', 'ignoreCase', 'multiline'] as const;
/** Options of lists of hits and files. */
const NOT_OF_PATCHES = ['files', 'count', 'context', 'allRefs'] as const;

/** With `-e`, all arguments are paths, as those of `git grep` are; globs of `-g` join them. */
export function withExpression({ expression, glob = [], ...values }: GrepValues): GrepValues {
  const isPath = expression !== undefined && values.pattern !== undefined;
  const paths = [...(isPath ? [values.pattern as string] : []), ...(values.path ?? []), ...glob];
  return { ...values, pattern: expression ?? values.pattern, path: paths.length === 0 ? undefined : paths };
}

/** Throws BAD_ARGUMENT for a pattern that is none, and for options that exclude each other. */
export function patternOf(values: GrepValues): Pattern | StructuralPattern {
  const { ast, language, rewrite } = values;
  const pattern = givenPattern(values);
  if (ast) {
    const other = OF_LINES.find((name) => values[name]);
    if (other !== undefined)
      throw refused(`${other} and ast exclude each other`, 'With ast the pattern matches syntax, not letters.');
    const notOfPatches = rewrite === undefined ? undefined : NOT_OF_PATCHES.find((name) => values[name]);
    if (notOfPatches !== undefined)
      throw refused(`${notOfPatches} and rewrite exclude each other`, 'A patch is of whole files of one snapshot.');
    return { ast: pattern, languages: language };
  }
  if (rewrite !== undefined) throw refused('rewrite needs ast', 'Only code that matches by its syntax is rewritten.');
  if (language !== undefined) throw refused('language needs ast', 'Globs select files: "*.ts".');
  return compilePattern({ ...values, pattern });
}

/** Throws BAD_ARGUMENT where there is none. */
export function givenPattern({ pattern }: GrepValues): string {
  if (pattern === undefined)
    throw refused('no pattern is given', 'Say what to look for: a regular expression, or with fixed an exact string.');
  return pattern;
}

const refused = (message: string, hint: string) => new SocraticodeError('BAD_ARGUMENT', message, { hint });
