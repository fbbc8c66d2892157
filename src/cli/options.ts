/** Parsers for option values, shared by commands. */
import { InvalidArgumentError } from 'commander';

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
