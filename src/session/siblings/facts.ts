/** Facts of a snapshot for questions about several repositories: what it publishes and serves, and what it uses and requests. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { cacheKey, type StateFile } from '../../base/cache.js';
import type { TreeEntry } from '../../git/objects.js';
import { type ClientCall, type LinkedFacts, NAMED } from '../../graph/across/facts.js';
import type { Snapshot } from '../../graph/link/symbol-table.js';
import { factsKey, LINK_VERSION, type LinkInput } from '../../graph/tables.js';
import type { PackageRules } from '../../languages/language.js';
import { allLanguages, languageOf } from '../../languages/registry.js';
import { loadImports } from '../../languages/resolver.js';
import { parseRequest } from '../../languages/roles/requests.js';
import type { LinkFacts } from '../../record/link-facts.js';
import { openFacts } from '../blob-facts.js';
import type { PreparedGraph } from '../graph/prepare.js';
import { isManifest, MAX_MANIFESTS, readManifests } from '../graph/sources.js';
import type { Session } from '../session.js';
import { LINKED } from '../state-kinds.js';

/** Raised with each change of the rules that make these facts. */
const VERSION = 4;
/** Bytes of unpacked facts. A file that claims more is damaged. */
const MAX_BYTES = 256 << 20;
/** Limit on the requests of one repository: more are made to slow us down. */
const MAX_CALLS = 50_000;
const MAX_LEVELS = 64;

/** Reads facts from the cache. Those of a snapshot with uncommitted or missing files are made each time. */
export async function linkedFacts(
  session: Session,
  prepared: PreparedGraph,
  signal?: AbortSignal,
): Promise<LinkedFacts> {
  const { covered, total } = prepared.coverage;
  const isCacheable = prepared.overlay === 0 && covered === total;
  const { key: origin, compiled } = prepared.origin;
  const key = cacheKey(VERSION, LINK_VERSION, origin, compiled ?? '');
  // The file has this user's seal, so its shape is not checked.
  const inflated = ({ content }: StateFile) => inflateRawSync(content, { maxOutputLength: MAX_BYTES }).toString('utf8');
  const cached = isCacheable
    ? session.state.read(LINKED, key, (file) => JSON.parse(inflated(file)) as LinkedFacts)
    : null;
  if (cached !== null) return cached;
  const facts = await collect(session, prepared, signal);
  if (isCacheable) session.state.write(LINKED, key, deflateRawSync(JSON.stringify(facts), { level: 1 }));
  return facts;
}

async function collect(session: Session, prepared: PreparedGraph, signal?: AbortSignal): Promise<LinkedFacts> {
  const { graph } = prepared;
  const [input, { openSnapshot }, { listExports, listUses }, { findRoutes }] = await Promise.all([
    linkInput(session, prepared, signal),
    import('../../graph/link/link-snapshot.js'),
    import('../../graph/across/package-names.js'),
    import('../../graph/routes.js'),
  ]);
  const { snapshot, project } = openSnapshot(input);
  const rules = await packageRules(graph.tables.files.map(({ language }) => language));
  const published = [...rules].flatMap(([ecosystem, { read }]) =>
    read.published(project).map((found) => ({ ecosystem, ...found })),
  );
  return {
    packages: published.map(({ ecosystem, name, manifest }) => ({ ecosystem, name, manifest })),
    exports: listExports(graph, snapshot, published),
    dependencies: dependenciesIn(input.manifests, rules),
    uses: listUses(snapshot, (language) => languageOf(language)?.packages?.ecosystem),
    routes: findRoutes(graph).map(({ handler, ...route }) => ({
      ...route,
      handler: handler && { path: handler.path, symbol: handler.symbol },
    })),
    calls: listCalls(prepared, snapshot),
  };
}

function listCalls({ graph }: PreparedGraph, snapshot: Snapshot): ClientCall[] {
  const found: ClientCall[] = [];
  for (const [file, { path }] of graph.tables.files.entries()) {
    if (found.length >= MAX_CALLS) break;
    const { symbols, references } = snapshot.index(file);
    for (const { kind, literal, symbol, startLine } of references) {
      const call = kind === 'request' ? parseRequest(literal) : null;
      if (call === null || call.method === NAMED) continue;
      // The host of a linked repository's server is not known.
      const { host: _, ...request } = call;
      found.push({ ...request, line: startLine, path, symbol: symbol < 0 ? null : qualifiedName(symbols, symbol) });
    }
  }
  return found;
}

function qualifiedName(symbols: readonly { name: string; container: number }[], symbol: number): string {
  const names: string[] = [];
  for (let at = symbol; at >= 0 && names.length < MAX_LEVELS; at = symbols[at].container) names.push(symbols[at].name);
  return names.reverse().join('.');
}

/** Input of linking, with the facts of all files. */
async function linkInput(session: Session, prepared: PreparedGraph, signal?: AbortSignal): Promise<LinkInput> {
  const { files } = prepared.graph.tables;
  const entries = await session.objects.list(prepared.origin.resolved.tree);
  const paths = new Set(files.map(({ path }) => path));
  const others = new Set(entries.flatMap(({ path }) => (paths.has(path) ? [] : [path])));
  const facts = new Map<string, LinkFacts>();
  const linked = files.filter(({ state }) => state === 'linked');
  const source = await openFacts(session, prepared, { count: linked.length, relations: true, signal });
  try {
    const byPath = new Map(linked.map((file) => [file.path, file]));
    await source.prefetch(linked, undefined, ({ path }, found) => {
      const file = byPath.get(path ?? '');
      if (file === undefined || found === null) return;
      const { lines, symbols, relations } = found;
      facts.set(factsKey(file), { lines, symbols, relations });
    });
  } finally {
    await source.close();
  }
  await loadImports(files.map(({ language }) => language));
  const manifests = await readManifests(manifestsOf(prepared, entries), prepared.objects);
  return { files, facts, others, manifests };
}

/** Manifests of the graph, uncommitted ones included, and manifests that are not indexed. */
function manifestsOf({ graph }: PreparedGraph, entries: readonly TreeEntry[]): { path: string; oid: string }[] {
  const names = new Set([...allLanguages()].flatMap(({ packages }) => packages?.manifests ?? []));
  const isWanted = ({ path }: { path: string }) => isManifest(path) || names.has(path.slice(path.lastIndexOf('/') + 1));
  const own = graph.tables.files.filter(isWanted);
  const known = new Set(own.map(({ path }) => path));
  const others = entries.filter((entry) => entry.type !== 'symlink' && entry.type !== 'submodule' && isWanted(entry));
  return [...own, ...others.filter(({ path }) => !known.has(path))]
    .map(({ path, oid }) => ({ path, oid }))
    .slice(0, MAX_MANIFESTS);
}

interface Rules {
  manifests: ReadonlySet<string>;
  read: PackageRules;
}

/** Rules by ecosystem, for the languages of the snapshot. */
async function packageRules(languages: readonly string[]): Promise<Map<string, Rules>> {
  const found = new Map<string, Rules>();
  for (const id of new Set(languages)) {
    const packages = languageOf(id)?.packages;
    if (packages === undefined || found.has(packages.ecosystem)) continue;
    found.set(packages.ecosystem, { manifests: new Set(packages.manifests), read: await packages.load() });
  }
  return found;
}

function dependenciesIn(
  manifests: ReadonlyMap<string, string>,
  rules: ReadonlyMap<string, Rules>,
): LinkedFacts['dependencies'] {
  const found: LinkedFacts['dependencies'] = [];
  for (const [path, content] of manifests) {
    const name = path.slice(path.lastIndexOf('/') + 1);
    for (const [ecosystem, { manifests: names, read }] of rules)
      if (names.has(name)) found.push(...read.dependencies(name, content).map((each) => ({ ecosystem, ...each })));
  }
  return found;
}
