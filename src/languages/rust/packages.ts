/** Crates of a repository: the modules that have files of their own, by their paths. */
import { entries, field, text } from '../roles/json.js';
import type { Dependency, PackageRules, PublishedModule, PublishedPackage } from '../roles/packages.js';
import { baseName, directoryOf, under } from '../roles/paths.js';
import type { Project } from '../roles/project.js';
import { parseToml } from '../roles/readers.js';

const DEPENDENCY_FIELDS = ['dependencies', 'dev-dependencies', 'build-dependencies'];

export const CARGO: PackageRules = {
  published: (project) => project.manifestsNamed('Cargo.toml').flatMap((manifest) => published(project, manifest)),
  dependencies(_, content): Dependency[] {
    const value = parseToml(content);
    const tables = [value, field(value, 'workspace')];
    return tables.flatMap((table) =>
      DEPENDENCY_FIELDS.flatMap((name) =>
        entries(field(table, name)).map(([dependency, written]) => ({
          name: text(field(written, 'package')) ?? dependency,
          version: text(written) ?? text(field(written, 'version')) ?? '',
        })),
      ),
    );
  },
};

function published(project: Project, manifest: string): PublishedPackage[] {
  const value = parseToml(project.manifest(manifest) ?? '');
  const name = text(field(field(value, 'package'), 'name'));
  const library = field(value, 'lib');
  const root = under(directoryOf(manifest), text(field(library, 'path')) ?? 'src/lib.rs');
  if (name === undefined || !project.has(root)) return [];
  const crate = text(field(library, 'name')) ?? name.replaceAll('-', '_');
  const home = directoryOf(root);
  const modules: PublishedModule[] = [{ specifier: crate, files: [project.find(root)] }];
  for (const file of project.filesOfLanguages(['rust'])) {
    const path = project.path(file);
    if (path === root || !path.startsWith(`${home}/`) || path.startsWith(`${home}/bin/`)) continue;
    if (baseName(path) === 'main.rs') continue;
    const names = path
      .slice(home.length + 1)
      .replace(/(?:\/mod)?\.rs$/, '')
      .split('/');
    modules.push({ specifier: [crate, ...names].join('::'), files: [file] });
  }
  return [{ name, manifest, modules }];
}
