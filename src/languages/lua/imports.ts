/** Lua: dotted names below the directories of `package.path`. */
import { external, type ImportRules, type Resolution, type Specified } from '../roles/imports.js';
import { ancestors, join, under } from '../roles/paths.js';
import type { Project } from '../roles/project.js';

const ROOTS = ['', 'src', 'lua', 'lib'];
const ENDINGS = ['.lua', '/init.lua', ''];

export const LUA: ImportRules = {
  readsNames: false,
  create: (project) => ({
    resolve: (file, specified) =>
      resolve(project, file, specified) ?? external(specified.specifier.split(/[./]/, 1)[0]),
  }),
};

/** From the directories upwards of the file, nearest first: programs run in any of them. */
function resolve(project: Project, file: number, { specifier }: Specified): Resolution | null {
  const isPath = specifier.includes('/') || specifier.endsWith('.lua');
  const relative = isPath ? specifier : specifier.replaceAll('.', '/');
  for (const home of ancestors(project.directory(file))) {
    for (const root of ROOTS) {
      const path = join(under(home, root), relative);
      if (path === null || path === '') continue;
      const found = project.firstAt(ENDINGS.map((ending) => path + ending));
      // `bin/shop.lua` that requires `shop` doesn't mean itself.
      if (found !== null && !isItself(found, project.path(file))) return found;
    }
  }
  return null;
}

function isItself(found: Resolution, path: string): boolean {
  return found.kind === 'files' && found.paths.length === 1 && found.paths[0] === path;
}
