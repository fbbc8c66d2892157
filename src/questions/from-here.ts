/** Globs of a question as they are meant in the directory in which they were typed. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Params } from '../params/param.js';
import type { Asker } from './asker.js';

/** Values whose globs begin at the top, where they were typed in a directory below it. */
export async function fromHere<V extends object>(at: Asker, params: Params, values: V): Promise<V> {
  const given = values as Record<string, unknown>;
  const keys = Object.keys(params).filter((key) => params[key].globs && given[key] !== undefined);
  if (keys.length === 0) return values;
  const [{ prefixOf }, { fromTop }] = await Promise.all([
    import('../session/prefix.js'),
    import('../search/pathspec.js'),
  ]);
  const { directory, workTree } = prefixOf(at.session, at.directory);
  const exists = (path: string) => workTree !== null && existsSync(join(workTree, path));
  const rooted = keys.map((key) => [key, fromTop(given[key] as string[], directory, exists)]);
  return { ...values, ...Object.fromEntries(rooted) };
}
