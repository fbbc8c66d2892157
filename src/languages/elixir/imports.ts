/** Elixir: modules have names of their own, wherever their files are. */
import { external, type ImportResolver, type ImportRules, type Resolution, type Specified } from '../roles/imports.js';
import { append, type Project } from '../roles/project.js';

/** Modules are symbols: the file that defines one of that name. */
export const ELIXIR: ImportRules = {
  readsNames: true,
  create: (project) => new Elixir(project),
};

class Elixir implements ImportResolver {
  private definers: Map<string, number[]> | null = null;

  constructor(private readonly project: Project) {}

  resolve(file: number, { specifier }: Specified): Resolution {
    const name = specifier.startsWith('Elixir.') ? specifier.slice('Elixir.'.length) : specifier;
    const found = this.modules().get(name);
    if (found === undefined) return external(name.split('.', 1)[0]);
    return this.project.toFiles(this.project.nearest(this.project.path(file), found), 'path');
  }

  private modules(): Map<string, number[]> {
    if (this.definers !== null) return this.definers;
    this.definers = new Map();
    for (const file of this.project.filesOfLanguages(['elixir'])) {
      for (const name of new Set(this.project.input.topLevelNames(file))) append(this.definers, name, file);
    }
    return this.definers;
  }
}
