/** Packages of Composer: other repositories use their classes by the namespaces that the files declare. */
import { entries, field, text } from '../roles/json.js';
import type { Dependency, PackageRules, PublishedPackage } from '../roles/packages.js';
import { directoryOf, join } from '../roles/paths.js';
import { append } from '../roles/project.js';
import { parseJson } from '../roles/readers.js';

const DEPENDENCY_FIELDS = ['require', 'require-dev'];

export const COMPOSER: PackageRules = {
  published: (project) =>
    project.manifestsNamed('composer.json').flatMap((manifest): PublishedPackage[] => {
      const value = project.json(manifest);
      const name = text(field(value, 'name'));
      if (name === undefined) return [];
      const autoload = field(value, 'autoload');
      const places = [...entries(field(autoload, 'psr-4')), ...entries(field(autoload, 'psr-0'))]
        .flatMap(([, place]) => (Array.isArray(place) ? place : [place]))
        .flatMap((place) => join(directoryOf(manifest), text(place) ?? '') ?? []);
      const namespaces = new Map<string, number[]>();
      for (const file of project.filesOfLanguages(['php'])) {
        const path = project.path(file);
        const [declared] = project.input.declared(file);
        const isOwn = places.some((place) => place === '' || path.startsWith(`${place}/`));
        if (declared !== undefined && isOwn) append(namespaces, declared, file);
      }
      return [{ name, manifest, modules: [...namespaces].map(([specifier, files]) => ({ specifier, files })) }];
    }),
  dependencies(_, content): Dependency[] {
    const value = parseJson(content);
    return DEPENDENCY_FIELDS.flatMap((name) =>
      entries(field(value, name)).map(([dependency, version]) => ({ name: dependency, version: text(version) ?? '' })),
    );
  },
};
