/**
 * Asks sibling repositories the same question, several at a time, within a time limit, and labels each with a short and unique name. Two
 * questions are asked here: a search, whose results are merged, and the facts that tell which repositories use each other (`linkedFacts`).
 */
import { basename, dirname, join } from 'node:path';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { cacheKey, type StateFile } from '../../base/cache.js';
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { lockHolder } from '../../base/lock.js';
import { visibleLine } from '../../base/printable.js';
import { textTerms } from '../../extract/terms.js';
import type { TreeEntry } from '../../git/objects.js';
import { type ClientCall, type LinkedFacts, NAMED } from '../../graph/across/facts.js';
import type { Snapshot } from '../../graph/link/symbol-table.js';
import { factsKey, LINK_VERSION, type LinkInput } from '../../graph/tables.js';
import type { PackageRules } from '../../languages/language.js';
import { allLanguages, languageOf } from '../../languages/registry.js';
import { loadImports } from '../../languages/resolver.js';
import { parseRequest } from '../../languages/roles/requests.js';
import type { SearchResponse } from '../../questions/search/question.js';
import type { LinkedAnswer, LinkState } from '../../questions/shared-output.js';
import type { LinkFacts } from '../../record/link-facts.js';
import { parseQuery } from '../../search/query.js';
import { openFacts } from '../blob-facts.js';
import { graphsOf, type PreparedGraph } from '../graph/graphs.js';
import { isManifest, MAX_MANIFESTS, readManifests } from '../graph/sources.js';
import { type SearchOptions, searcherOf } from '../search/searcher.js';
import { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { LINKED } from '../state-kinds.js';
import { findLinks, inspectLink, type Link } from './links.js';

interface Searchable {
  session: Session;
  /** Returns whether the process that opened the repository is indexing it. */
  isIndexing?: () => boolean;
  /** Called when the question needs it no longer. */
  release?: () => void;
}

export interface LinkAccess {
  /** Opens an allowed repository by the top of its work tree. */
  open: (directory: string) => Promise<Searchable>;
  /** Time in milliseconds that sibling repositories may take after this one's own answer. */
  graceMs: number;
}

/** Repositories asked at a time: each may have files to parse. */
const AT_ONCE = 4;

/** Parts of an answer that say how much of a repository it is about. */
interface Answered {
  commit: string | null;
  /** Null if it does not depend on the index. */
  coverage: { covered: number; total: number } | null;
}

/** Result of asking one sibling repository. */
interface Outcome<Answer extends Answered> {
  link: Link;
  projectId: string | null;
  state: LinkState;
  response: Answer | null;
  reason: string | null;
}

type AskOne<Answer> = (repository: Searchable, signal: AbortSignal) => Promise<Answer>;

/**
 * One question to several repositories: `ask` asks them, `outcomes` waits for it no longer than the grace time, and `stop` ends those that
 * are still asked.
 */
class OtherRepositories<Answer extends Answered> {
  private readonly controller = new AbortController();
  private readonly signal: AbortSignal;
  /** Answers and refusals so far. */
  private readonly done = new Map<Link, Outcome<Answer>>();
  /** Git directories of the links that may be asked. */
  private readonly commonDirs = new Map<Link, string>();

  constructor(
    private readonly askOne: AskOne<Answer>,
    private readonly access: LinkAccess,
    private readonly given?: AbortSignal,
  ) {
    const signal = given;
    this.signal = signal === undefined ? this.controller.signal : AbortSignal.any([signal, this.controller.signal]);
  }

  stop(): void {
    this.controller.abort();
  }

  async ask(links: readonly Link[], inspect: Inspect): Promise<void> {
    await Promise.all(links.map((link) => this.inspect(link, inspect)));
    const queue = this.withoutTwins(links);
    const worker = async (): Promise<void> => {
      for (let link = queue.shift(); link !== undefined && !this.signal.aborted; link = queue.shift())
        await this.askLink(link);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }

  private async inspect(link: Link, inspect: Inspect): Promise<void> {
    const found = link.refusal ?? (await inspect(link, link.directory as string));
    if ('state' in found) this.done.set(link, { ...noAnswer(link), ...found });
    else this.commonDirs.set(link, found.commonDir);
  }

  /** Keeps the first one of several work trees of one repository. */
  private withoutTwins(links: readonly Link[]): Link[] {
    const first = new Map<string, Link>();
    return links.filter((link) => {
      const commonDir = this.commonDirs.get(link);
      const twin = commonDir === undefined ? undefined : first.get(commonDir);
      if (twin !== undefined)
        this.done.set(link, { ...noAnswer(link), state: 'same', reason: `the same repository as ${twin.path}` });
      if (commonDir === undefined || twin !== undefined) return false;
      first.set(commonDir, link);
      return true;
    });
  }

  private async askLink(link: Link): Promise<void> {
    const outcome = await this.answerOf(link).catch((error: unknown): Outcome<Answer> => {
      const reason = isSocraticodeError(error) ? `${error.message}; ${error.hint}` : String(error);
      return { ...noAnswer(link), state: 'failed', reason };
    });
    this.done.set(link, outcome);
  }

  private async answerOf(link: Link): Promise<Outcome<Answer>> {
    const repository = await this.access.open(link.directory as string);
    const { session, isIndexing, release } = repository;
    try {
      const response = await this.askOne(repository, this.signal);
      const { config } = await session.configOfOrigin(await session.origin(undefined, { unborn: true }));
      const { covered, total } = response.coverage ?? { covered: 0, total: 0 };
      const isPartial = covered < total && (isIndexing?.() || this.isWriting(link));
      const state = isPartial ? 'indexing' : 'searched';
      return { link, projectId: config.projectId ?? null, state, response, reason: null };
    } finally {
      release?.();
    }
  }

  private isWriting(link: Link): boolean {
    const commonDir = this.commonDirs.get(link);
    return commonDir !== undefined && lockHolder(join(commonDir, 'socraticode', 'writer.lock')) !== null;
  }

  /** Returns the answers received within the grace time, and reports the others as missing. */
  async outcomes(asking: Promise<void>, links: readonly Link[]): Promise<Outcome<Answer>[]> {
    const { graceMs } = this.access;
    let timer: NodeJS.Timeout | undefined;
    const grace = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, graceMs);
    });
    await Promise.race([asking, grace]).finally(() => clearTimeout(timer));
    this.given?.throwIfAborted();
    return links.map((link) => this.done.get(link) ?? this.late(link));
  }

  private late(link: Link): Outcome<Answer> {
    const isWriting = this.isWriting(link);
    const seconds = Math.round(this.access.graceMs / 100) / 10;
    const reason = isWriting ? 'it is being indexed; ask again' : `no answer within ${seconds} s; ask again`;
    return { ...noAnswer(link), state: isWriting ? 'indexing' : 'failed', reason };
  }
}

/** Looks where a link leads before the repository is opened: `inspectLink`. */
type Inspect = (link: Link, directory: string) => ReturnType<typeof inspectLink>;

function noAnswer(link: Link): Omit<Outcome<never>, 'response'> & { response: null } {
  return { link, projectId: null, state: 'failed', response: null, reason: null };
}

/** Labels and states of repositories, in order. `own`: label of this repository. */
function statesOf(outcomes: readonly Outcome<Answered>[], own: string | undefined): Omit<LinkedAnswer, 'results'>[] {
  const named = outcomes.map(({ projectId, link }) => ({ ...link, projectId }));
  const labels = labelsOf(named, own === undefined ? [] : [own]);
  return outcomes.map(({ link, state, response, reason }, i) => ({
    project: labels[i],
    path: link.path,
    state,
    commit: response?.commit ?? null,
    coverage: response?.coverage ?? null,
    reason: reason === null ? null : visibleLine(reason),
  }));
}

interface Named {
  /** `projectId` of its settings, if set. */
  projectId: string | null;
  /** Path as written in the settings. */
  path: string;
  /** Directory, if known. */
  directory: string | null;
}

/**
 * Labels each project by its id, or by the name of its folder, with the parent folder or a number if the name is taken. A repository
 * chooses only its own id, so the first project with a name keeps it.
 */
export function labelsOf(projects: readonly Named[], taken: readonly string[]): string[] {
  const used = new Set(taken);
  return projects.map((project) => {
    const label = candidates(project).find((name) => name !== '' && !used.has(name)) ?? numbered(project, used);
    used.add(label);
    return label;
  });
}

function candidates({ projectId, path, directory }: Named): string[] {
  const place = directory ?? path;
  const folder = basename(place).replace(/(?!^)\.git$/, '');
  return [...(projectId === null ? [] : [projectId]), folder, `${basename(dirname(place))}/${folder}`];
}

function numbered(project: Named, used: ReadonlySet<string>): string {
  const [first] = candidates(project);
  for (let i = 2; ; i++) if (!used.has(`${first}#${i}`)) return `${first}#${i}`;
}

export interface LinkedRepository extends Omit<LinkedAnswer, 'results'> {
  /** Null for a repository that could not be asked. */
  facts: LinkedFacts | null;
}

/** Facts of each sibling repository at its own HEAD, with its uncommitted files. */
export async function linkedRepositories(
  session: Session,
  origin: SnapshotOrigin,
  of: { access: LinkAccess; signal?: AbortSignal },
): Promise<LinkedRepository[]> {
  const asked = await askLinked(session, origin, { ask: factsOf, ...of });
  return asked.map(({ answer, ...state }) => ({ ...state, facts: answer?.facts ?? null }));
}

/** Asks each sibling repository one question. A failure of one is part of the answer. */
export async function askLinked<Answer extends Answered>(
  session: Session,
  origin: SnapshotOrigin,
  { ask, access, signal }: { ask: AskOne<Answer>; access: LinkAccess; signal?: AbortSignal },
): Promise<(Omit<LinkedAnswer, 'results'> & { answer: Answer | null })[]> {
  const others = new OtherRepositories(ask, access, signal);
  const { list, consent } = await findLinks(session, origin);
  const asking = others.ask(list, (link, directory) => inspectLink(link, directory, session.repository, consent));
  asking.catch(() => {});
  try {
    const outcomes = await others.outcomes(asking, list);
    const { config } = await session.configOfOrigin(origin);
    return statesOf(outcomes, config.projectId).map((state, i) => ({ ...state, answer: outcomes[i].response }));
  } finally {
    others.stop();
  }
}

async function factsOf({ session }: Searchable, signal: AbortSignal): Promise<Answered & { facts: LinkedFacts }> {
  const prepared = await graphsOf(session).prepare({ signal });
  const { commit } = prepared.origin.resolved;
  return { commit, coverage: prepared.coverage, facts: await linkedFacts(session, prepared, signal) };
}

/**
 * Searches this repository and its siblings, each at its own HEAD, and merges the results into one list. Throws as `Searcher.search` does
 * for this repository; a sibling's failure is part of the answer.
 */
export async function searchLinked(
  session: Session,
  options: SearchOptions,
  access: LinkAccess,
): Promise<SearchResponse> {
  if (options.in !== undefined || options.allRefs) {
    const message = 'linked repositories are searched at their own HEAD: a range or all branches are of one repository';
    throw new SocraticodeError('BAD_ARGUMENT', message, { hint: 'Search them without a range, or this one alone.' });
  }
  const origin = await session.origin(options.ref, { unborn: true });
  // Merging reads the texts of results.
  const full = { ...options, noContent: false, mayBeEmpty: true };
  const answering = searcherOf(session).search(full);
  answering.catch(() => {});
  const search = (other: Searchable, signal: AbortSignal) =>
    searcherOf(other.session).search({ ...full, ref: undefined, signal });
  const others = new OtherRepositories(search, access, options.signal);
  const { list, consent } = await findLinks(session, origin);
  const asking = others.ask(list, (link, directory) => inspectLink(link, directory, session.repository, consent));
  asking.catch(() => {});
  try {
    const answer = await answering;
    const outcomes = await others.outcomes(asking, list);
    const { config } = await session.configOfOrigin(origin);
    const all = joined(answer, outcomes, { limit: options.limit ?? config.search.limit, own: config.projectId });
    return options.noContent ? { ...all, results: all.results.map(({ content: _, ...rest }) => rest) } : all;
  } finally {
    others.stop();
  }
}

function joined(
  answer: SearchResponse,
  outcomes: readonly Outcome<SearchResponse>[],
  { limit, own }: { limit: number; own: string | undefined },
): SearchResponse {
  const states = statesOf(outcomes, own);
  const lists = outcomes.flatMap(({ response }, i) =>
    response === null ? [] : { ...response, project: states[i].project },
  );
  const results = fuse(answer.query, [{ ...answer, project: null }, ...lists], limit);
  const linked = states.map(({ reason, ...state }) => ({
    ...state,
    results: results.filter(({ project }) => project === state.project).length,
    reason,
  }));
  return { ...answer, linked, results };
}

type Result = SearchResponse['results'][number];

/** Added to the share of found words, so that results keep their order by meaning if none has one. 0.05 to 0.1 measured the same. */
const LEAST = 0.05;

interface RankedList {
  /** Null for the repository that the question is about. */
  project: string | null;
  mode: SearchResponse['mode'];
  /** Best first, with text. */
  results: readonly Result[];
}

/** Returns the best `limit` results of all lists. Of equal results the earlier list's comes first. */
function fuse(query: string, lists: readonly RankedList[], limit: number): Result[] {
  const terms = parseQuery(query).terms;
  const filled = lists.filter(({ results }) => results.length > 0);
  // Modes sum different features, so only shares of the best score can be compared.
  const isMixed = new Set(filled.map(({ mode }) => mode)).size > 1;
  const all = filled.flatMap(({ project, results }) => {
    const best = Math.max(...results.map(({ score }) => score));
    const factor = (LEAST + coverage(terms, results)) / (isMixed && best > 0 ? best : 1);
    return results.map((result) => ({ ...result, ...(project !== null && { project }), ...scaled(result, factor) }));
  });
  return all.sort((a, b) => b.score - a.score).slice(0, limit);
}

/** Returns the largest share of the query's words that one result has in its text, path or name. */
function coverage(terms: readonly string[], results: readonly Result[]): number {
  const shares = results.map(({ content = '', path, symbol }) => {
    const words = new Set(textTerms(`${content} ${path} ${symbol ?? ''}`));
    return terms.filter((term) => words.has(term)).length / terms.length;
  });
  return terms.length === 0 ? 0 : Math.max(...shares);
}

function scaled({ score, explain }: Result, factor: number): Pick<Result, 'score' | 'explain'> {
  const whole = { score: round(score * factor) };
  return explain === undefined ? whole : { ...whole, explain: { ...explain, 'factor:project': round(factor) } };
}

const round = (value: number): number => Math.round(value * 1e6) / 1e6;

/** Long, since the first search of a repository indexes it. The next search finds the finished batches. */
const GRACE_MS = 30_000;

export class OpenLinks implements LinkAccess {
  readonly graceMs = GRACE_MS;
  private readonly opened = new Map<string, Promise<Searchable>>();

  open = (directory: string): Promise<Searchable> => {
    const known = this.opened.get(directory) ?? Session.open({ directory }).then((session) => ({ session }));
    this.opened.set(directory, known);
    known.catch(() => this.opened.delete(directory));
    return known;
  };

  async close(): Promise<void> {
    for (const opened of await Promise.allSettled(this.opened.values()))
      if (opened.status === 'fulfilled') opened.value.session.close();
    this.opened.clear();
  }
}

// Facts of a snapshot for questions about several repositories: what it publishes and serves, and what it uses and requests.

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
