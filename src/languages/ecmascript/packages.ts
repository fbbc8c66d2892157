/** Packages of npm: their entry points, and the subpaths that `exports` names. */
import { entries, field, text } from '../roles/json.js';
import type { Dependency, PackageRules, PublishedModule, PublishedPackage } from '../roles/packages.js';
import { directoryOf } from '../roles/paths.js';
import type { Project } from '../roles/project.js';
import { parseJson } from '../roles/readers.js';
import { Packages } from './imports/packages.js';
import { Probe } from './imports/probe.js';

const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
/** Subpaths of one package. */
const MAX_SUBPATHS = 500;

export const NPM: PackageRules = {
  published(project) {
    const packages = new Packages(project);
    return project.manifestsNamed('package.json').flatMap((manifest) => published(project, packages, manifest));
  },
  dependencies(_, content): Dependency[] {
    const value = parseJson(content);
    return DEPENDENCY_FIELDS.flatMap((name) =>
      entries(field(value, name)).map(([dependency, version]) => ({ name: dependency, version: text(version) ?? '' })),
    );
  },
};

function published(project: Project, packages: Packages, manifest: string): PublishedPackage[] {
  const found = packages.at(directoryOf(manifest));
  const name = text(field(found?.manifest, 'name'));
  if (found === null || name === undefined || name === '') return [];
  const probe = new Probe(project, 'typescript');
  const keys = entries(field(found.manifest, 'exports')).map(([key]) => key);
  const subpaths = keys.filter((key) => key.startsWith('./') && !key.includes('*') && !key.endsWith('.json'));
  const modules = ['.', ...subpaths.slice(0, MAX_SUBPATHS)].flatMap((subpath): PublishedModule[] => {
    const entry = packages.entry(found, subpath, probe);
    if (entry?.kind !== 'files') return [];
    return [{ specifier: name + subpath.slice(1), files: entry.paths.map((path) => project.find(path)) }];
  });
  return [{ name, manifest, modules }];
}
