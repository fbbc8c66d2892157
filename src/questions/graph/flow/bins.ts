/** Programs that the manifests of a snapshot name: `bin` of package.json, `[project.scripts]` of pyproject.toml. */
import type { ObjectReader } from '../../../git/objects.js';
import type { Graph } from '../../../graph/graph.js';
import { allLanguages, type Language } from '../../../languages/registry.js';
import type { Program } from '../../../languages/roles/programs.js';

/** Manifests looked into: a monorepo has some hundred packages. */
const MAX_MANIFESTS = 200;
const MAX_MANIFEST_BYTES = 256 * 1024;
/** A hostile manifest could name any number. */
const MAX_PROGRAMS = 500;

export async function readBins(graph: Graph, objects: ObjectReader): Promise<Program[]> {
  const loaders = loadersByName();
  const has = (path: string) => graph.findFile(path) >= 0;
  const found: Program[] = [];
  let looked = 0;
  for (const { path, oid } of graph.tables.files) {
    const load = loaders.get(path.slice(path.lastIndexOf('/') + 1));
    if (load === undefined || ++looked > MAX_MANIFESTS) continue;
    const info = await objects.info(oid);
    const object = info !== null && info.size <= MAX_MANIFEST_BYTES ? await objects.read(oid) : null;
    if (object === null) continue;
    const programs = await load();
    found.push(...programs(path, object.content.toString('utf8'), has));
  }
  return found.slice(0, MAX_PROGRAMS);
}

type Load = NonNullable<Language['programs']>['load'];

function loadersByName(): Map<string, Load> {
  const loaders = new Map<string, Load>();
  for (const { programs } of allLanguages()) {
    if (programs !== undefined) for (const name of programs.manifests) loaders.set(name, programs.load);
  }
  return loaders;
}
