/** Chooses short, unique names for the linked projects of one answer. */
import { basename, dirname } from 'node:path';

interface Named {
  /** `projectId` of its settings, if set. */
  projectId: string | null;
  /** Path as written in the settings. */
  path: string;
  /** Directory, if known. */
  directory: string | null;
}

/**
 * Labels each project by its id, else by the name of its folder, with the parent folder or a number if the name is taken. A
 * repository can choose only its own id: the first project with a name keeps it.
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
