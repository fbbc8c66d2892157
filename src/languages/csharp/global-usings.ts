/** C#: namespaces that one file, or the project's own file, imports into all files of a project. */
import { directoryOf } from '../roles/paths.js';
import { append, type Project } from '../roles/project.js';

/** Beginning of the specifier by which a file declares a `global using`. */
export const GLOBAL_USING = 'global using ';

/** Declared by files with types in the global namespace beside others. */
export const GLOBAL_NAMESPACE = 'global::';

const INCLUDED = /<Using\s+Include="([\w.]+)"\s*\/?>/g;
/** A project with more of them is generated. */
const MAX_USINGS = 500;

/** Namespaces by the directory below which they are imported. */
export function globalUsings(project: Project, language: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const file of project.filesOfLanguages([language])) {
    for (const declared of project.input.declared(file)) {
      if (!declared.startsWith(GLOBAL_USING)) continue;
      const directory = directoryOf(project.path(file)).replace(/(?:^|\/)Properties$/, '');
      append(found, directory, declared.slice(GLOBAL_USING.length));
    }
  }
  for (const [path, text] of project.input.manifests) {
    if (!/\.(?:csproj|props)$/.test(path)) continue;
    for (const [, namespace] of [...text.matchAll(INCLUDED)].slice(0, MAX_USINGS))
      append(found, directoryOf(path), namespace);
  }
  return found;
}
