/** The repositories that a server answers about: the one it was started in, and those its user allows beside it. */
import { Project } from './project.js';

export interface ProjectsOptions {
  /** Where the server was started. */
  directory: string;
}

export class Projects {
  private readonly projects = new Map<string, Promise<Project>>();

  constructor(private readonly options: ProjectsOptions) {}

  /** `path`: absolute; without one, the repository the server was started in. Throws BAD_ARGUMENT for any that is not allowed. */
  open(path = this.options.directory): Promise<Project> {
    const known = this.projects.get(path) ?? Project.open(path);
    this.projects.set(path, known);
    known.catch(() => this.projects.delete(path));
    return known;
  }

  async close(): Promise<void> {
    const all = [...this.projects.values()];
    this.projects.clear();
    for (const project of await Promise.allSettled(all)) if (project.status === 'fulfilled') project.value.close();
  }
}
