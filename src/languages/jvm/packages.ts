/** Libraries of the JVM: other repositories import their classes by the packages that the files declare. */
import type { Dependency, PackageRules, PublishedModule, PublishedPackage } from '../roles/packages.js';
import { ancestors, directoryOf } from '../roles/paths.js';
import { append, type Project } from '../roles/project.js';

/** In their order of preference for one directory. */
const MANIFESTS = ['pom.xml', 'build.gradle', 'build.gradle.kts'];
const TEST_SOURCES = /(?:^|\/)(?:test|tests|testFixtures|androidTest|integrationTest|jmh)\//;
const DEPENDENCY = /<dependency>([\s\S]{0,2000}?)<\/dependency>/g;
const COORDINATES = /['"]([\w.-]+:[\w.-]+)(?::([^'"\s]*))?['"]/g;
const MAX_DEPENDENCIES = 5_000;

export const MAVEN: PackageRules = {
  published(project) {
    const homes = new Map<string, string>();
    for (const name of MANIFESTS)
      for (const manifest of project.manifestsNamed(name))
        if (!homes.has(directoryOf(manifest))) homes.set(directoryOf(manifest), manifest);
    const byHome = new Map<string, Map<string, number[]>>();
    for (const file of project.filesOfLanguages(['java', 'kotlin', 'scala'])) {
      const [declared] = project.input.declared(file);
      const home = [...ancestors(project.directory(file))].find((at) => homes.has(at));
      if (declared === undefined || home === undefined || TEST_SOURCES.test(project.path(file))) continue;
      const packages = byHome.get(home) ?? new Map<string, number[]>();
      byHome.set(home, packages);
      append(packages, declared, file);
    }
    return [...byHome].map(([home, packages]): PublishedPackage => {
      const manifest = homes.get(home) as string;
      const modules = [...packages].map(([specifier, files]): PublishedModule => ({ specifier, files }));
      return { name: artifactOf(project, manifest), manifest, modules };
    });
  },
  dependencies(manifest, content): Dependency[] {
    const pattern = manifest === 'pom.xml' ? DEPENDENCY : COORDINATES;
    const found: Dependency[] = [];
    for (const match of content.matchAll(pattern)) {
      if (found.length >= MAX_DEPENDENCIES) break;
      if (manifest === 'pom.xml') found.push(...coordinates(match[1]));
      else found.push({ name: match[1], version: match[2] ?? '' });
    }
    return found;
  },
};

function coordinates(written: string): Dependency[] {
  const [group, artifact, version] = ['groupId', 'artifactId', 'version'].map((name) => element(written, name));
  return group === undefined || artifact === undefined
    ? []
    : [{ name: `${group}:${artifact}`, version: version ?? '' }];
}

function element(written: string, name: string): string | undefined {
  return new RegExp(`<${name}>\\s*([^<\\s]{1,200})\\s*</${name}>`).exec(written)?.[1];
}

/** `group:artifact` of a pom; of a Gradle build, which need not name itself, the name of its folder. */
function artifactOf(project: Project, manifest: string): string {
  const content = project.manifest(manifest) ?? '';
  const folder = directoryOf(manifest).split('/').at(-1) ?? '';
  if (!manifest.endsWith('.xml')) return folder;
  const parent = /<parent>([\s\S]{0,1000}?)<\/parent>/.exec(content);
  const own = parent === null ? content : content.replace(parent[0], '');
  const head = own.split(/<(?:dependencies|build|dependencyManagement|profiles)>/, 1)[0];
  const group = element(head, 'groupId') ?? element(parent?.[1] ?? '', 'groupId');
  const artifact = element(head, 'artifactId') ?? folder;
  return group === undefined ? artifact : `${group}:${artifact}`;
}
