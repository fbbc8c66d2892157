/** Programs that package.json names under `bin`. */

import { entries, field, text } from '../roles/json.js';
import { directoryOf, join } from '../roles/paths.js';
import type { Program } from '../roles/programs.js';
import { parseJson } from '../roles/readers.js';

/** Folders that are built: `dist/cli.js` is written in `src/cli.ts`. */
const BUILD_FOLDER = /(?:^|\/)(?:dist|build|lib|out|bin)\//;
const SOURCE_FOLDERS = ['src/', 'source/', ''];
const SOURCE_ENDINGS = ['.ts', '.mts', '.tsx', '.js', '.mjs'];

export function packagePrograms(manifest: string, content: string, has: (path: string) => boolean): Program[] {
  const value = parseJson(content);
  const bin = field(value, 'bin');
  const own = text(field(value, 'name'))?.replace(/^.*\//, '') ?? manifest;
  const named = typeof bin === 'string' ? [[own, bin] as const] : entries(bin);
  return named.flatMap(([name, target]) => {
    const written = typeof target === 'string' ? join(directoryOf(manifest), target) : null;
    const path = written === null ? null : sourceOf(written, has);
    return path === null ? [] : [{ name, path }];
  });
}

function sourceOf(path: string, has: (path: string) => boolean): string | null {
  if (has(path)) return path;
  const stem = path.replace(/\.[cm]?js$/, '');
  for (const folder of SOURCE_FOLDERS) {
    const moved = stem.replace(BUILD_FOLDER, (match) => `${match.startsWith('/') ? '/' : ''}${folder}`);
    const ending = SOURCE_ENDINGS.find((each) => has(moved + each));
    if (ending !== undefined) return moved + ending;
  }
  return null;
}
