/**
 * Facts of the documents of a snapshot, and the packages that its manifests publish. Each document's blob is read once and its facts are
 * cached in a sealed file of the local state; without the file the answer is the same and takes longer. Packages are kept in memory alone.
 */
import { Memory, type StateKind } from '../base/cache.js';
import { type Published, packageOf } from '../documents/lookup.js';
import { type DocumentFacts, isDocument, READER_VERSION, readDocument } from '../documents/read.js';
import type { Documented } from '../documents/resolve.js';
import type { Graph } from '../graph/graph.js';
import type { PackageRules } from '../languages/language.js';
import { languageOf } from '../languages/registry.js';
import { Project } from '../languages/roles/project.js';
import type { PreparedGraph } from './graph/graphs.js';
import { MAX_MANIFESTS, readManifests } from './graph/sources.js';
import type { Session } from './session.js';
import { DOCUMENTS } from './state-kinds.js';

/** Limit on the documents of a snapshot. Beyond it most are the generated pages of a site. */
const MAX_DOCUMENTS = 5_000;
const MAX_BYTES = 2 << 20;
/** Limit on cached documents: twice a snapshot's, so that two branches share a file. */
const MAX_CACHED = 2 * MAX_DOCUMENTS;

/** Keys are blob and language. */
type DocumentCache = Map<string, DocumentFacts>;

const KIND: StateKind = { ...DOCUMENTS, version: READER_VERSION };
/** Facts that a long-lived process has read. */
const OPEN = new Memory<DocumentCache>(1);

export interface Documents {
  documents: Documented[];
  /** Documents beyond the limits. */
  leftOut: number;
  published: Published;
}

/** Reads documents in the order of their paths. */
export async function readDocuments(
  session: Session,
  prepared: Pick<PreparedGraph, 'graph' | 'objects'>,
): Promise<Documents> {
  const { graph, objects } = prepared;
  const all = graph.tables.files.filter(({ language }) => isDocument(language));
  const listed = all.slice(0, MAX_DOCUMENTS);
  if (listed.length === 0) return { documents: [], leftOut: 0, published: new Map() };
  const cached = OPEN.find(session, '', () => session.state.readMap(KIND)) as DocumentCache;
  const missing = listed.filter((file) => !cached.has(keyOf(file)));
  const contents = await Promise.all(missing.map(({ oid }) => contentOf(objects, oid)));
  for (const [i, file] of missing.entries()) {
    const bytes = contents[i];
    if (bytes !== null) cached.set(keyOf(file), await readDocument(bytes, file.language));
  }
  const documents = listed.flatMap((file): Documented[] => {
    const facts = cached.get(keyOf(file));
    return facts === undefined ? [] : [{ path: file.path, facts }];
  });
  if (missing.length > 0) session.state.writeMap(KIND, cached, { used: listed.map(keyOf), most: MAX_CACHED });
  return { documents, leftOut: all.length - documents.length, published: await publishedPackages(prepared) };
}

const keyOf = ({ oid, language }: { oid: string; language: string }): string => `${oid} ${language}`;

async function contentOf(objects: PreparedGraph['objects'], oid: string): Promise<Buffer | null> {
  const info = await objects.info(oid);
  if (info?.type !== 'blob' || info.size > MAX_BYTES) return null;
  return (await objects.read(oid))?.content ?? null;
}

/** Packages by graph, since a graph has the blobs of its manifests. */
const PUBLISHED = new WeakMap<Graph, Promise<Published>>();

/**
 * Reads the indexed manifests. An ecosystem without an importable package is absent. `near`: another snapshot of the repository; if it
 * has the same manifests, its packages are reused, since reading those of Spring takes .1 s.
 */
export function publishedPackages(
  prepared: Pick<PreparedGraph, 'graph' | 'objects'>,
  near?: Pick<PreparedGraph, 'graph'>,
): Promise<Published> {
  let found = PUBLISHED.get(prepared.graph);
  if (found === undefined) {
    const other = near === undefined ? undefined : PUBLISHED.get(near.graph);
    found =
      other !== undefined && near !== undefined && haveSameManifests(prepared.graph, near.graph)
        ? other
        : readPublished(prepared);
    PUBLISHED.set(prepared.graph, found);
  }
  return found;
}

function haveSameManifests(graph: Graph, other: Graph): boolean {
  const [one, two] = [graph, other].map((each) => manifestsOf(each).listed.map(({ path, oid }) => `${oid} ${path}`));
  return one.join('\n') === two.join('\n');
}

/** Returns the files that are manifests by their names, and the rules that read them, by ecosystem. */
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

async function readPublished({ graph, objects }: Pick<PreparedGraph, 'graph' | 'objects'>): Promise<Published> {
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
    // The names of packages are not enough: in some ecosystems imports name something else.
    if (modules.length > 0)
      published.set(ecosystem, new Set([...modules, ...packages.map(({ name }) => name)].map(packageOf)));
  }
  return published;
}
