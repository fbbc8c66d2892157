/** Programs that pyproject.toml names under `[project.scripts]` or `[tool.poetry.scripts]`. */
import { entries, field, text } from '../roles/json.js';
import { directoryOf, join } from '../roles/paths.js';
import type { Program } from '../roles/programs.js';
import { parseToml } from '../roles/readers.js';

export function projectPrograms(manifest: string, content: string, has: (path: string) => boolean): Program[] {
  const value = parseToml(content);
  const poetry = field(field(value, 'tool'), 'poetry');
  const scripts = [...entries(field(field(value, 'project'), 'scripts')), ...entries(field(poetry, 'scripts'))];
  return scripts.flatMap(([name, target]) => {
    const module = text(target)?.split(':', 1)[0].trim() ?? '';
    const path = module === '' ? undefined : candidates(directoryOf(manifest), module).find(has);
    return path === undefined ? [] : [{ name, path }];
  });
}

/** Files that the module can be, from the folder of the manifest or from its `src`. */
function candidates(folder: string, module: string): string[] {
  const stem = module.replaceAll('.', '/');
  return ['', 'src/'].flatMap((root) =>
    [`${stem}.py`, `${stem}/__init__.py`].flatMap((path) => join(folder, root + path) ?? []),
  );
}
