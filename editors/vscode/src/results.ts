/** Results of a search as rows of a tree. Knows nothing of VS Code, so that it is tested without one. */
import { join } from 'node:path';

/** One result of `schemas/search.schema.json`. */
export interface SearchResult {
  path: string;
  startLine: number;
  endLine: number;
  symbol: string | null;
  kind: string;
}

/** The answer about one open repository. */
export interface SearchAnswer {
  root: string;
  results: SearchResult[];
}

export interface Row {
  label: string;
  description: string;
  file: string;
  /** From 0. */
  line: number;
}

export function rowsOf(answers: readonly SearchAnswer[]): Row[] {
  return answers.flatMap(({ root, results }) =>
    results.map(({ path, startLine, symbol, kind }) => ({
      label: symbol ?? path.slice(path.lastIndexOf('/') + 1),
      description: `${kind}  ${path}:${startLine}`,
      file: join(root, path),
      line: Math.max(0, startLine - 1),
    })),
  );
}

/** Program and arguments of the setting, with further arguments. Throws for a setting that names none. */
export function commandLine(setting: unknown, rest: readonly string[]): { command: string; args: string[] } {
  const words = Array.isArray(setting) ? setting.filter((word): word is string => typeof word === 'string') : [];
  const [command, ...args] = words;
  if (!command) throw new Error('git-socraticode.command is empty');
  return { command, args: [...args, ...rest] };
}
