/** Asks git by which rule it ignores an untracked file. */
import { type Git, NOTHING_THERE } from './process.js';

export interface IgnoreRule {
  /** File of the rule: from the top of the work tree, or absolute for one of the user's. */
  source: string;
  line: number;
  pattern: string;
}

/** The rule that ignores a path from the top of the work tree; null for a path that git does not ignore. */
export async function ignoreRule(git: Git, path: string): Promise<IgnoreRule | null> {
  // git accepts no literal paths here; a path that begins with ":" would mean something else.
  const args = ['--no-literal-pathspecs', 'check-ignore', '--verbose', '-z', '--stdin'];
  const { stdout } = await git.run(args, { allow: NOTHING_THERE, input: `./${path}\0` });
  const [source = '', line, pattern = ''] = stdout.toString('utf8').split('\0');
  return source === '' || pattern.startsWith('!') ? null : { source, line: Number(line), pattern };
}
