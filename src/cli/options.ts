/** Options that commands share, and parsers for their values. */
import { type Command, InvalidArgumentError } from 'commander';

export function wholeNumber(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new InvalidArgumentError('It takes a whole number.');
  return Number(text);
}

/** For options that can be repeated or hold a comma list. */
export function collectList(text: string, before: string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== ''),
  ];
}

/** Globs may hold commas in braces, so each use of the option is one glob. */
export function collectGlob(text: string, before: string[] = []): string[] {
  return [...before, text];
}

/** Which snapshot, how many results, and from where: what every command that shows chunks takes. */
export interface FilterOptions {
  ref?: string;
  committed?: boolean;
  limit?: number;
  path?: string[];
  lang?: string[];
  kind?: string[];
}

export function withFilters(command: Command): Command {
  return command
    .option('--ref <ref>', 'branch, tag or commit to search (default: HEAD and what is not committed yet)')
    .option('--committed', 'leave uncommitted files out')
    .option('--limit <n>', 'results, 1 to 100 (default: 10)', wholeNumber)
    .option('--path <glob>', 'only these paths; "!glob" excludes; repeatable', collectGlob)
    .option('--lang <id>', 'only these languages; repeatable', collectList)
    .option('--kind <kind>', 'only these kinds of chunks (function, class, text…); repeatable', collectList);
}
