/** Modules of Go: each directory with code below `go.mod` is a package that others import by its path. */
import type { Dependency, PackageRules, PublishedModule, PublishedPackage } from '../roles/packages.js';
import { directoryOf, isWithin } from '../roles/paths.js';
import { append, type Project } from '../roles/project.js';

const MODULE = /^[ \t]*module[ \t]+"?([^\s"]+)/m;
const REQUIRED = /^[ \t]*(?:require[ \t]+)?([^\s()]+\.[^\s()]+)[ \t]+(v[^\s]+)/gm;
const MAX_DEPENDENCIES = 5_000;
/** Nothing outside of the module imports these. */
const PRIVATE = /(?:^|\/)(?:internal|testdata|vendor)(?:\/|$)/;

export const GO_MODULES: PackageRules = {
  published(project) {
    const modules = new Map<string, { name: string; manifest: string }>();
    for (const manifest of project.manifestsNamed('go.mod')) {
      const name = MODULE.exec(project.manifest(manifest) ?? '')?.[1];
      if (name !== undefined) modules.set(directoryOf(manifest), { name, manifest });
    }
    return [...modules].map(([home, { name, manifest }]): PublishedPackage => {
      const inner = [...modules.keys()].filter((other) => other !== home && isWithin(other, home));
      return { name, manifest, modules: modulesBelow(project, { home, name, inner }) };
    });
  },
  dependencies(_, content): Dependency[] {
    const found: Dependency[] = [];
    for (const [, name, version] of content.matchAll(REQUIRED)) {
      if (found.length >= MAX_DEPENDENCIES) break;
      found.push({ name, version });
    }
    return found;
  },
};

function modulesBelow(
  project: Project,
  { home, name, inner }: { home: string; name: string; inner: readonly string[] },
): PublishedModule[] {
  const directories = new Map<string, number[]>();
  for (const file of project.filesOfLanguages(['go'])) {
    const directory = project.directory(file);
    if (!isWithin(directory, home) || PRIVATE.test(directory) || inner.some((other) => isWithin(directory, other)))
      continue;
    if (project.path(file).endsWith('_test.go') || project.input.declared(file)[0] === 'main') continue;
    append(directories, directory, file);
  }
  return [...directories].map(([directory, files]) => {
    const below = home === '' ? directory : directory.slice(home.length + 1);
    return { specifier: below === '' ? name : `${name}/${below}`, files };
  });
}
