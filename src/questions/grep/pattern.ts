/** Patterns of `grep`: one of lines, or one of syntax. */
import { SocraticodeError } from '../../base/errors.js';
import { compilePattern, type Pattern } from '../../search/grep/pattern.js';
import type { StructuralPattern } from '../../session/grep/structural.js';
import type { GrepValues } from './params.js';

/** Options that say how lines match. */
const OF_LINES = ['fixed', 'words', 'ignoreCase', 'multiline'] as const;

/** Throws BAD_ARGUMENT for a pattern that is none, and for options that exclude each other. */
export function patternOf(values: GrepValues): Pattern | StructuralPattern {
  const { ast, language, pattern } = values;
  if (ast) {
    const other = OF_LINES.find((name) => values[name]);
    if (other === undefined) return { ast: pattern, languages: language };
    throw refused(`${other} and ast exclude each other`, 'With ast the pattern matches syntax, not letters.');
  }
  if (language !== undefined) throw refused('language needs ast', 'Globs select files: "*.ts".');
  return compilePattern(values);
}

const refused = (message: string, hint: string) => new SocraticodeError('BAD_ARGUMENT', message, { hint });
