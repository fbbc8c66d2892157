/** Short, unique names of linked projects in one answer. */
import { basename, dirname } from 'node:path';

export interface Named {
  /** The `projectId` of its settings, if they have one. */
  projectId: string | null;
  /** As it was named in the settings. */
  path: string;
  /** Where it is, if that is known. */
  directory: string | null;
}

/**
 * A label each: its project id, else its folder's name, with the folder above it or a number where others are called
 * the same. A repository chooses its own id, but not what others are called: the first one keeps a name.
 */
export function labelsOf(projects: readonly Named[], taken: readonly string[]): string[] {
  const used = new Set(taken);
  return projects.map((project) => {
    const label = candidates(project).find((name) => name !== '' && !used.has(name)) ?? numbered(project, used);
    used.add(label);
    return label;
  });
}

function candidates({ projectId, path, directory }: Named): string[] {
  const place = directory ?? path;
  const folder = basename(place).replace(/(?!^)\.git$/, '');
  return [...(projectId === null ? [] : [projectId]), folder, `${basename(dirname(place))}/${folder}`];
}

function numbered(project: Named, used: ReadonlySet<string>): string {
  const [first] = candidates(project);
  for (let i = 2; ; i++) if (!used.has(`${first}#${i}`)) return `${first}#${i}`;
}
