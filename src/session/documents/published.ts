/** Packages that manifests of a snapshot name: samples in documents that import from them speak of this repository. */
import { type Published, packageOf } from '../../documents/packages.js';
import type { Graph } from '../../graph/graph.js';
import { languageOf } from '../../languages/registry.js';
import type { PackageRules } from '../../languages/roles/packages.js';
import { Project } from '../../languages/roles/project.js';
import { MAX_MANIFESTS, readManifests } from '../graph/graph-files.js';
import type { PreparedGraph } from '../graph/prepare.js';

/** A graph stands for its manifests, since it has their blobs. */
const KNOWN = new WeakMap<Graph, Promise<Published>>();

/**
 * Indexed manifests alone are read. An ecosystem without a package that can be imported is absent. `near`: another snapshot of the
 * repository, whose packages these are where its manifests are the same: reading those of Spring takes .1 s.
 */
export function publishedPackages(
  prepared: Pick<PreparedGraph, 'graph' | 'objects'>,
  near?: Pick<PreparedGraph, 'graph'>,
): Promise<Published> {
  let found = KNOWN.get(prepared.graph);
  if (found === undefined) {
    const other = near === undefined ? undefined : KNOWN.get(near.graph);
    found =
      other !== undefined && near !== undefined && areSame(prepared.graph, near.graph) ? other : collect(prepared);
    KNOWN.set(prepared.graph, found);
  }
  return found;
}

/** Have two snapshots the same manifests? */
function areSame(graph: Graph, other: Graph): boolean {
  const [one, two] = [graph, other].map((each) => manifestsOf(each).listed.map(({ path, oid }) => `${oid} ${path}`));
  return one.join('\n') === two.join('\n');
}

function manifestsOf({ tables: { files } }: Graph) {
  const rules = new Map<string, () => Promise<PackageRules>>();
  const names = new Set<string>();
  for (const id of new Set(files.map(({ language }) => language))) {
    const packages = languageOf(id)?.packages;
    if (packages === undefined) continue;
    rules.set(packages.ecosystem, packages.load);
    for (const name of packages.manifests) names.add(name);
  }
  const listed = files.filter(({ path }) => names.has(path.slice(path.lastIndexOf('/') + 1))).slice(0, MAX_MANIFESTS);
  return { rules, listed };
}

async function collect({ graph, objects }: Pick<PreparedGraph, 'graph' | 'objects'>): Promise<Published> {
  const { files } = graph.tables;
  const { rules, listed } = manifestsOf(graph);
  if (listed.length === 0) return new Map();
  const manifests = await readManifests(listed, objects);
  const nothing = () => [];
  const project = new Project({ files, others: new Set(), manifests, declared: nothing, topLevelNames: nothing });
  const published = new Map<string, ReadonlySet<string>>();
  for (const [ecosystem, load] of rules) {
    const packages = (await load()).published(project);
    const modules = packages.flatMap(({ modules }) => modules.map(({ specifier }) => specifier));
    // The names of packages alone say nothing: in some ecosystems imports name something else.
    if (modules.length > 0)
      published.set(ecosystem, new Set([...modules, ...packages.map(({ name }) => name)].map(packageOf)));
  }
  return published;
}
