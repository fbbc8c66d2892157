/** Patterns of `grep`: one of lines, or one of syntax. */
import { SocraticodeError } from '../../base/errors.js';
import { compilePattern, type Pattern } from '../../search/grep/pattern.js';
import type { StructuralPattern } from '../../session/grep/structural.js';
import type { GrepValues } from './params.js';

/** Options that say how lines match. */
const OF_LINES = { fixed: '-F', words: '-w', ignoreCase: '-i', multiline: '-U' } as const;

/** Throws BAD_ARGUMENT for a pattern that is none, and for options that exclude each other. */
export function patternOf(values: GrepValues): Pattern | StructuralPattern {
  const { ast, language, pattern } = values;
  if (ast) {
    const other = (Object.keys(OF_LINES) as (keyof typeof OF_LINES)[]).find((name) => values[name]);
    if (other === undefined) return { ast: pattern, languages: language };
    throw refused(`${OF_LINES[other]} and --ast exclude each other`, 'A pattern of --ast matches syntax, not letters.');
  }
  if (language !== undefined) throw refused('--language needs --ast', 'Globs select files: "*.ts".');
  return compilePattern(values);
}

const refused = (message: string, hint: string) => new SocraticodeError('BAD_ARGUMENT', message, { hint });
