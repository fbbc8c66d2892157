/**
 * Answers `graph blame`: walks the commits that changed the files of a dependency, and links these files alone, before and after each commit
 * in which the names of the target occur more or less often. So a version in which they do not change costs a count of words.
 */
import { cacheKey } from '../../../base/cache.js';
import { SocraticodeError } from '../../../base/errors.js';
import { addTo } from '../../../base/lists.js';
import { groupDigits, shortOid } from '../../../base/printable.js';
import { type CommitInfo, readCommit } from '../../../git/commits.js';
import { type CommitChanges, type HistoryChange, walkHistory } from '../../../git/log.js';
import type { TreeEntry } from '../../../git/objects.js';
import { NOTHING_THERE } from '../../../git/process.js';
import type { Graph } from '../../../graph/graph.js';
import { cut } from '../../../graph/query/node-place.js';
import { LINK_VERSION } from '../../../graph/tables.js';
import { mergesOf } from '../../../history/change-log.js';
import { mentionsIn } from '../../../history/commit-messages.js';
import { wordsOf } from '../../../history/fix-state.js';
import { type HistoryScope, isFile, readPathHistory } from '../../../history/trace.js';
import { type CollectedFacts, linkFew } from '../../../session/graph/link.js';
import { readChangeLog } from '../../../session/history/change-log.js';
import { commitOf, type OpenHistory, openHistory } from '../../../session/history/open-history.js';
import { BLAMES } from '../../../session/state-kinds.js';
import type { Asker } from '../../asker.js';
import { dateText, formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import { type BlameDocument, type Blamed, type BlameEvent, type BlameValues, LISTED_EVENTS } from './question.js';

/** A file, a folder, or a symbol in a file. */
interface Place {
  text: string;
  path: string;
  isFolder: boolean;
  symbol: string | null;
}

type Traced = Pick<Blamed, 'from' | 'to' | 'uses' | 'since'> & { events: BlameEvent[] };
type Answer = Omit<BlameDocument, 'dependencies' | 'closed'> & { dependencies: Traced[] };

/** Throws UNKNOWN_REF, and BAD_ARGUMENT for a place that no commit has. */
export async function answerBlame(at: Asker, values: BlameValues): Promise<BlameDocument> {
  const { session } = at;
  const origin = await session.origin(values.ref);
  const commit = commitOf(origin.resolved);
  const key = cacheKey(commit, LINK_VERSION, session.profile, ...values.places);
  const { ref } = origin.resolved;
  const answer = { ...(session.state.readMap<Answer>(BLAMES).get(key) ?? (await traceAll(at, values, key))), ref };
  const { limit = LISTED_EVENTS } = values;
  const dependencies = answer.dependencies.map((one) => ({ ...one, events: cut(one.events, limit) }));
  const { places } = values;
  const isCircle = places.length > 2 && places[0] === places[places.length - 1];
  return { ...answer, dependencies, ...(isCircle && { closed: await closingCommit(at, answer.dependencies) }) };
}

async function traceAll(at: Asker, values: BlameValues, key: string): Promise<Answer> {
  const { session, signal } = at;
  const origin = await session.origin(values.ref);
  const commit = commitOf(origin.resolved);
  const opened = await openHistory(session, origin, { signal });
  const tracer = new Tracer(at, opened, await session.objects.list(origin.resolved.tree), commit);
  try {
    const places: Place[] = [];
    for (const text of values.places) places.push(await tracer.placeOf(text));
    const pairs =
      places.length === 1 ? [[null, places[0]] as const] : places.slice(1).map((to, i) => [places[i], to] as const);
    const dependencies: Traced[] = [];
    for (const [from, to] of pairs) dependencies.push(await tracer.trace(from, to));
    const { commits, linked, unknown } = tracer;
    const answer: Answer = {
      ...{ schemaVersion: 1, ref: origin.resolved.ref, commit, dependencies },
      ...{ commits, linked, unknown: [...unknown] },
    };
    const known = session.state.readMap<Answer>(BLAMES).set(key, answer);
    session.state.writeMap(BLAMES, known, { used: [key], most: MAX_KEPT });
    return answer;
  } finally {
    await opened.source.close();
  }
}

/** Answers that are kept: those of the last questions. */
const MAX_KEPT = 50;

/** The one of the commits since which each step of a circle is there that has all others before it; null where there is none. */
async function closingCommit({ session, signal }: Asker, steps: readonly Traced[]): Promise<string | null> {
  const since = steps.flatMap(({ uses, since: commit }) => (uses > 0 && commit !== null ? [commit] : []));
  if (since.length < steps.length) return null;
  const args = ['merge-base', '--independent', ...new Set(since)];
  const { stdout } = await session.repository.git.run(args, { signal, allow: NOTHING_THERE });
  const last = stdout.toString('latin1').split('\n').filter(Boolean);
  return last.length === 1 ? last[0] : null;
}

/** Versions that are linked for one answer, for all of its dependencies together. */
const MAX_LINKED = 400;
/** Former paths of a file that are followed. */
const MAX_RENAMES = 8;
/** Commits that are walked for all uses of a symbol: git reads every changed file for that. */
const MAX_PICKAXE = 2_000;
/** Files of a folder whose words are looked for. */
const MAX_TARGETS = 200;

/** Names of a target that are looked for at the ref. */
const MAX_PATTERNS = 2_000;

/** Files that pass names on from others below them, and are linked as well. */
const PASSES_ON = /(?:^|\/)(?:index\.[a-z]+|__init__\.pyi?|mod\.rs|lib\.rs)$/;

/** Traces the dependencies of one question, one after the other. What it counts and keeps is of all of them, except for `texts`. */
class Tracer {
  commits = 0;
  linked = 0;
  readonly unknown = new Set<string>();
  private readonly facts: CollectedFacts = new Map();
  /** Numbers of uses by the blobs that were linked for them. */
  private readonly counts = new Map<string, Promise<number>>();
  /** Words of the present target by blob. */
  private readonly texts = new Map<string, { all: string; own: string }>();
  /** Files of the last few commits. */
  private readonly trees = new Map<string, Promise<readonly TreeEntry[]>>();

  /** `tip`: files of `commit`, at which the answer looks back. */
  constructor(
    private readonly at: Asker,
    private readonly opened: OpenHistory,
    private readonly tip: readonly TreeEntry[],
    private readonly commit: string,
  ) {}

  /** Finds a place at the ref, or in its history. */
  async placeOf(text: string): Promise<Place> {
    const [written, symbol = null] = text.split('#', 2);
    const path = written.replace(/^\.\//, '').replace(/\/$/, '');
    if (this.tip.some((entry) => entry.path === path)) return { text, path, isFolder: false, symbol };
    if (this.tip.some((entry) => entry.path.startsWith(`${path}/`))) return { text, path, isFolder: true, symbol };
    const { commits } = await readPathHistory(this.opened.history, new Set([path]));
    if (commits.length > 0) return { text, path, isFolder: false, symbol };
    throw new SocraticodeError('BAD_ARGUMENT', `no file or folder is called ${path}, now or before`, {
      hint: /:\d[\d-]*$/.test(path)
        ? 'It takes files, folders and symbols (PATH#NAME); `why` says which commits wrote a line.'
        : 'Write paths from the top of the repository, and symbols as PATH#NAME.',
    });
  }

  /** Counts the uses at the ref, and goes back from there by what each commit added or took away. `from` null: any user. */
  async trace(from: Place | null, to: Place): Promise<Traced> {
    // The words differ for each target.
    this.texts.clear();
    const targets = await this.pathsOf(to);
    const words = await this.wordsFor(to, targets);
    if (words.size === 0)
      throw new SocraticodeError('BAD_ARGUMENT', `${to.text} has no name of three letters that could be looked for`);
    const sources = from === null ? null : await this.pathsOf(from);
    const isSource = (path: string) =>
      sources === null ? !targets.has(path) : isWithin(from as Place, path) || sources.has(path);
    const uses = await this.usesNow(isSource, { to, targets, words });
    const changes = sources === null ? await this.mentioning(words) : await this.changesOf(from as Place, sources);
    this.commits += changes.length;
    const steps = await this.stepsOf(changes, { isSource, to, targets, words });
    const events: BlameEvent[] = [];
    let now = uses;
    for (const { commit, delta, paths } of steps) {
      const before = Math.max(0, now - delta);
      const info = await readCommit(this.at.session.objects, commit);
      if (info !== null) events.push(await this.eventOf(info, { before, after: now, delta, paths }));
      now = before;
    }
    const since = sinceOf(events, uses);
    if (uses > 0 && since === null)
      this.unknown.add('some uses are older than these commits, or came with the target, as code that moved there');
    return { from: from?.text ?? null, to: to.text, uses, since, events };
  }

  /** Paths that a file had; those of a folder at the ref. */
  private async pathsOf(place: Place): Promise<Set<string>> {
    if (place.isFolder)
      return new Set(this.tip.map(({ path }) => path).filter((path) => path.startsWith(`${place.path}/`)));
    const { git } = this.at.session.repository;
    const args = [
      'log',
      '--follow',
      '-M',
      '--diff-filter=R',
      '--name-status',
      '-z',
      '--format=',
      '--no-color',
      this.commit,
    ];
    const { stdout } = await git.run([...args, '--', place.path], { allow: NOTHING_THERE, signal: this.at.signal });
    const paths = new Set([place.path]);
    const fields = stdout.toString('utf8').split('\0');
    for (const [i, field] of fields.entries())
      if (/^\s*R\d*$/.test(field) && paths.size <= MAX_RENAMES && paths.has(fields[i + 2])) paths.add(fields[i + 1]);
    return paths;
  }

  /** Names by which code speaks of the target: its files without their endings, and what they define. */
  private async wordsFor({ symbol }: Place, targets: ReadonlySet<string>): Promise<Words> {
    if (symbol !== null)
      return new Map(
        wordsOf(symbol)
          .slice(-1)
          .map((word) => [word, true]),
      );
    const words = new Map<string, boolean>();
    const stemOf = (path: string) => /([^/]+?)(?:\.[^/]*)?$/.exec(path)?.[1] ?? '';
    for (const path of [...targets].slice(0, MAX_TARGETS)) {
      const oid = this.tip.find((entry) => entry.path === path)?.oid;
      for (const { name, container } of oid === undefined
        ? []
        : ((await this.opened.source.facts({ path, oid }))?.symbols ?? []))
        if (wordsOf(name).length > 0) words.set(name, container < 0 || words.get(name) === true);
      for (const word of wordsOf(PASSES_ON.test(path) ? (path.split('/').at(-2) ?? '') : stemOf(path)))
        words.set(word, true);
    }
    if (targets.size > MAX_TARGETS)
      this.unknown.add(`names of ${targets.size - MAX_TARGETS} files of a folder were not looked for`);
    return words;
  }

  /** Commits that changed the files of a source, newest first. */
  private async changesOf(from: Place, sources: ReadonlySet<string>): Promise<CommitChanges[]> {
    if (!from.isFolder) return (await readPathHistory(this.opened.history, sources)).commits;
    const { git, walk } = this.opened.history;
    const commits: CommitChanges[] = [];
    await walkHistory(git, { ...walk, paths: [from.path] }, ({ commit, changes }) => commits.push({ commit, changes }));
    return commits;
  }

  /** Commits in which a symbol's name occurs more or less often. */
  private async mentioning(words: Words): Promise<CommitChanges[]> {
    const { git, walk }: HistoryScope = this.opened.history;
    const [text] = [...words.keys()].sort((a, b) => b.length - a.length);
    const commits: CommitChanges[] = [];
    const window = await walkHistory(
      git,
      { ...walk, maxCommits: MAX_PICKAXE, contains: { text: text ?? '' } },
      ({ commit, changes }) => commits.push({ commit, changes }),
    );
    if (window.end !== 'root') this.unknown.add(`commits before the last ${groupDigits(MAX_PICKAXE)} were not walked`);
    return commits;
  }

  private async usesNow(isSource: (path: string) => boolean, target: Target): Promise<number> {
    const { accepts } = this.opened.history;
    const named = await this.pathsNaming(target.words);
    let sum = 0;
    for (const { path, oid, type } of this.tip)
      if (isFile(type) && named.has(path) && isSource(path) && accepts(path))
        sum += await this.usesIn(this.commit, { path, oid }, target);
    return sum;
  }

  /** Files at the ref that have a word of the target. */
  private async pathsNaming(words: Words): Promise<Set<string>> {
    const patterns = [...words.keys()].slice(0, MAX_PATTERNS).flatMap((word) => ['-e', word]);
    const args = ['grep', '-I', '-l', '-F', '-z', '--no-color', ...patterns, this.commit, '--'];
    const { stdout } = await this.at.session.repository.git.run(args, { allow: NOTHING_THERE, signal: this.at.signal });
    return new Set(
      stdout
        .toString('utf8')
        .split('\0')
        .map((name) => name.slice(this.commit.length + 1)),
    );
  }

  /** Commits that changed the number of uses, newest first, with what each added or took away. */
  private async stepsOf(
    changes: readonly CommitChanges[],
    { isSource, ...target }: Target & { isSource: (path: string) => boolean },
  ): Promise<Step[]> {
    const byPath = new Map<string, Candidate[]>();
    for (const { commit, changes: files } of changes) {
      this.at.signal.throwIfAborted();
      for (const { path, oldOids, newOid, type } of files as readonly HistoryChange[]) {
        if (!isFile(type) || !isSource(path) || !this.opened.history.accepts(path)) continue;
        const after = await this.wordCount(newOid, target.words);
        const before = await Promise.all(oldOids.map((oid) => this.wordCount(oid, target.words)));
        // A merge that takes one side as it is changes nothing by itself.
        if (before.some(({ all }) => all === after.all)) continue;
        const isTelling = before.every(({ own }) => own !== after.own);
        addTo(byPath, path, { commit, path, oldOids, newOid, isTelling });
      }
    }
    const found = new Map<string, Step>();
    for (const candidates of byPath.values())
      for (const { commit, path, delta } of await this.bisect(candidates, target)) {
        const known = found.get(commit) ?? { commit, delta: 0, paths: [] };
        found.set(commit, { commit, delta: known.delta + delta, paths: [...known.paths, path] });
      }
    return changes.flatMap(({ commit }) => found.get(commit) ?? []).filter(({ delta }) => delta !== 0);
  }

  /**
   * Finds the candidates, newest first, that changed the number of uses. Between two in which the names of the target itself change, only the
   * ends are linked as long as their numbers are equal: what its members are used for may come and go there unseen.
   */
  private async bisect(all: readonly Candidate[], target: Target): Promise<(Candidate & { delta: number })[]> {
    const found: (Candidate & { delta: number })[] = [];
    const search = async (from: number, until: number): Promise<void> => {
      if (from >= until) return;
      if (until - from === 1) {
        const delta = await this.deltaOf(all[from], target);
        if (delta !== 0) found.push({ ...all[from], delta });
        return;
      }
      const [after, before] = [all[from].newOid, all[until - 1].oldOids[0] ?? null];
      const newest = await this.usesAt(all[from].commit, all[from].path, after, target);
      const oldest = await this.usesAt(`${all[until - 1].commit}^`, all[until - 1].path, before, target);
      if (newest === oldest) return;
      const middle = (from + until) >> 1;
      await search(from, middle);
      await search(middle, until);
    };
    let start = 0;
    for (let at = 0; at <= all.length; at++) {
      if (at < all.length && !all[at].isTelling) continue;
      await search(start, at);
      if (at < all.length) await search(at, at + 1);
      start = at + 1;
    }
    return found;
  }

  /** Uses that a commit added, or took away: in a merge what no parent has, or what each of them has. */
  private async deltaOf({ commit, path, oldOids, newOid }: Candidate, target: Target): Promise<number> {
    const now = await this.usesAt(commit, path, newOid, target);
    const before: number[] = [];
    for (const [i, oid] of oldOids.entries()) before.push(await this.usesAt(`${commit}^${i + 1}`, path, oid, target));
    const [least, most] = [Math.min(...before), Math.max(...before)];
    return now > most ? now - most : now < least ? now - least : 0;
  }

  /** Uses in a file at a commit; 0 without the file, without a word of the target, and when too many versions were linked. */
  private async usesAt(commit: string, path: string, oid: string | null, target: Target): Promise<number> {
    if (oid === null || (await this.wordCount(oid, target.words)).all === '') return 0;
    if (this.linked >= MAX_LINKED) this.unknown.add(`only ${MAX_LINKED} versions were linked`);
    return this.linked >= MAX_LINKED ? 0 : this.usesIn(commit, { path, oid }, target);
  }

  /** The words of the target in a text with how often each occurs: all, and those of its files and of what stands at their top. */
  private async wordCount(oid: string | null, words: Words): Promise<{ all: string; own: string }> {
    const known = this.texts.get(oid ?? '');
    if (known !== undefined) return known;
    const bytes = oid === null ? null : await this.opened.source.bytes(oid);
    const counts = new Map<string, number>();
    for (const word of bytes === null ? [] : wordsOf(bytes.toString('utf8')))
      if (words.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1);
    const textOf = (some: readonly [string, number][]) =>
      some
        .map(([word, count]) => `${word} ${count}`)
        .sort()
        .join('\n');
    const found = { all: textOf([...counts]), own: textOf([...counts].filter(([word]) => words.get(word) === true)) };
    this.texts.set(oid ?? '', found);
    return found;
  }

  /** Uses of the target by one version of a file, linked with the files of the same commit that define the target or pass it on. */
  private async usesIn(commit: string, file: { path: string; oid: string }, target: Target): Promise<number> {
    const entries = await this.entriesOf(commit);
    const involved = entries.filter(
      ({ path }) => isTarget(target, path) || path === file.path || passesOn(target, path),
    );
    const key = cacheKey(file.oid, ...involved.map(({ path, oid }) => `${path} ${oid}`));
    const known = this.counts.get(key) ?? this.link(entries, { file, involved, target });
    this.counts.set(key, known);
    return known;
  }

  private async link(
    entries: readonly TreeEntry[],
    { file, involved, target }: { file: { path: string }; involved: readonly TreeEntry[]; target: Target },
  ): Promise<number> {
    this.linked++;
    const { config } = this.opened.scope;
    const paths = new Set(involved.map(({ path }) => path));
    const languageOf = (path: string) => this.opened.source.languageOf(path);
    const { maxFileBytes } = config;
    const graph = await linkFew(
      this.at.session,
      { entries, paths, languageOf, maxFileBytes, signal: this.at.signal },
      this.facts,
    );
    return countUses(graph, file.path, target);
  }

  private entriesOf(commit: string): Promise<readonly TreeEntry[]> {
    const known = this.trees.get(commit) ?? this.readTree(commit);
    if (this.trees.size > 4) this.trees.clear();
    this.trees.set(commit, known);
    return known;
  }

  private async readTree(commit: string): Promise<readonly TreeEntry[]> {
    const { objects } = this.at.session;
    const tree = await objects.info(`${commit}^{tree}`);
    return tree === null ? [] : objects.list(tree.oid);
  }

  private async eventOf(
    info: CommitInfo,
    { before, after, delta, paths }: { before: number; after: number; delta: number; paths: string[] },
  ): Promise<BlameEvent> {
    const { commit, date, author, subject } = info;
    const change = before === 0 ? 'appeared' : after === 0 ? 'gone' : delta > 0 ? 'grew' : 'shrank';
    return { change, commit, date, author, subject, pull: await this.pullOf(info), uses: after, delta, paths };
  }

  /** The pull request that a commit names, or the merge that brought it. */
  private async pullOf(info: CommitInfo): Promise<string | null> {
    const named = (message: { subject: string; body: string }) =>
      mentionsIn(message).find(({ kind }) => kind === 'pull')?.text;
    const own = named(info);
    if (own !== undefined) return own;
    const { session, signal } = this.at;
    const merge = mergesOf(await readChangeLog(session, { tip: this.commit, signal })).get(info.commit);
    return (merge === undefined ? undefined : named({ ...merge, body: '' })) ?? null;
  }
}

/** Words that name the target; true for its files and what stands at their top, false for members. */
type Words = ReadonlyMap<string, boolean>;

/** A commit that changed a file in which words of the target occur more or less often than before. */
interface Candidate {
  commit: string;
  path: string;
  oldOids: readonly (string | null)[];
  newOid: string | null;
  /** Do the names of files, or of what stands at their top, differ? */
  isTelling: boolean;
}

/** A commit with the uses that it added, or took away, and the files that have them. */
interface Step {
  commit: string;
  delta: number;
  paths: string[];
}

interface Target {
  to: Place;
  /** Paths of its files, now and before. */
  targets: ReadonlySet<string>;
  words: Words;
}

const isWithin = ({ path, isFolder }: Place, other: string): boolean =>
  isFolder ? other.startsWith(`${path}/`) : other === path;

const isTarget = ({ to, targets }: Target, path: string): boolean => targets.has(path) || isWithin(to, path);

/** Does a file in a folder above the target pass its names on? */
const passesOn = ({ targets }: Target, path: string): boolean => {
  if (!PASSES_ON.test(path)) return false;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  return [...targets].some((target) => target.startsWith(folder));
};

/** Uses in a file that lead to the target. */
function countUses(graph: Graph, path: string, target: Target): number {
  const file = graph.findFile(path);
  if (file < 0) return 0;
  const { symbol } = target.to;
  let uses = 0;
  for (let node = graph.fileNode(file); node < graph.tables.nodeBase[file + 1]; node++) {
    const [start, end] = graph.edgeRange(node);
    for (let edge = start; edge < end; edge++) {
      const to = graph.target(edge);
      if (to < 0 || !isTarget(target, graph.path(to)) || graph.path(to) === path) continue;
      const name = graph.isFile(to) ? '' : graph.qualifiedName(to);
      if (symbol === null || name === symbol || name.endsWith(`.${symbol}`)) uses++;
    }
  }
  return uses;
}

/** The commit since which there has been a use all along. */
function sinceOf(events: readonly BlameEvent[], uses: number): string | null {
  return uses === 0 ? null : (events.find(({ change }) => change === 'appeared')?.commit ?? null);
}

// Text.

export function blameText(
  { dependencies, closed, commits, linked, unknown, ref }: BlameDocument,
  { pen }: { pen: Pen },
): string {
  const lines: string[] = [];
  for (const one of dependencies) lines.push(...dependencyLines(one, pen));
  if (closed !== undefined)
    lines.push(
      closed === null
        ? 'the circle is not closed, or older than what was walked'
        : `the circle is closed since ${shortOid(closed)}`,
    );
  lines.push(
    pen.dim(`${ref}: ${formatCount(commits, 'commit')} changed these files, ${formatCount(linked, 'version')} linked`),
  );
  for (const reason of unknown) lines.push(pen.dim(`unknown: ${reason}`));
  return `${lines.join('\n')}\n`;
}

function dependencyLines({ from, to, uses, events }: Blamed, pen: Pen): string[] {
  const name = from === null ? `uses of ${to}` : `${from} -> ${to}`;
  const lines = [`${pen.path(name)}  ${uses === 0 ? 'no use now' : `${formatCount(uses, 'use')} now`}`];
  for (const one of events.list) lines.push(`  ${eventText(one, pen)}`);
  if (events.leftOut > 0) lines.push(`  and ${formatCount(events.leftOut, 'earlier commit')}`);
  return lines;
}

function eventText({ change, commit, date, author, subject, pull, uses, delta }: BlameEvent, pen: Pen): string {
  const by = `${shortOid(commit)} ${dateText(date)} ${author}`;
  const sum = `${delta > 0 ? '+' : '-'}${groupDigits(Math.abs(delta))}, then ${groupDigits(uses)}`;
  const where = pull === null || subject.includes(pull) ? '' : pen.dim(` (${pull})`);
  return `${change.padEnd(8)} ${sum}  ${by}: ${subject}${where}`;
}
