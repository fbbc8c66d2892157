/**
 * Answers to a page: the documents of questions that it may ask, as `--json` prints them, and facts that no question gives:
 * choices for its controls, files, and authors of lines.
 */
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import { packageVersion } from '../base/runtime.js';
import { blame } from '../git/blame.js';
import { listBranches, listTags } from '../git/branches.js';
import { listCommits, readCommit } from '../git/commits.js';
import { type Forge, forgeOf } from '../git/forge.js';
import { headBranch, withoutLocalFilters } from '../git/repository.js';
import { type Params, text, type Values } from '../params/param.js';
import { type Asker, askerOf, questionNamed, readNamed } from '../questions/asker.js';
import type { FleetAsking } from '../questions/fleet/asking.js';
import type { GrepResponse, GrepValues } from '../questions/grep/question.js';
import { editedText } from '../questions/history-targets.js';
import { COMMAND_WORDS, plainPen } from '../questions/pen.js';
import type { AnyQuestion } from '../questions/question.js';
import type { Project } from '../serve/project.js';
import { commitOf } from '../session/history/open-history.js';
import { intactSnapshot } from '../session/indexing/known-snapshot.js';
import type { Session } from '../session/session.js';
import { vectorSource } from '../session/vectors/vector-source.js';

interface PageCall {
  project: Project;
  /** Aborts when the page no longer wants the answer. */
  signal: AbortSignal;
  /** Reports the progress of a long answer. */
  progress?: Asker['progress'];
  /** The fleet of the user's settings, if there is one. */
  fleet?: FleetAsking | undefined;
}

/** Throws BAD_ARGUMENT for a question that pages may not ask and for invalid values, and the errors of the answer. */
export async function answerPage(
  name: string,
  given: unknown,
  { project, signal, progress, fleet }: PageCall,
): Promise<object> {
  const at = { ...askerOf(project, signal, progress), ...(fleet && { fleet }) };
  if (Object.hasOwn(OWN_ANSWERS, name)) {
    const { params, answer } = OWN_ANSWERS[name];
    return answer(at, readNamed(params, Object.keys(params), { name, given }));
  }
  if (!Object.hasOwn(OFFERED, name)) throw unknownQuestion();
  const question = await questionNamed(name);
  if (question === undefined) throw unknownQuestion();
  const values = readNamed(question.params, OFFERED[name], { name, given });
  const answer = await question.answer();
  const document = await answer(at, { ...values, ...FIXED[name] });
  if (name === 'grep') return withMarks(document as GrepResponse, values as GrepValues);
  return withBlocks(question, document, values);
}

/** Answers that a page draws from their blocks (data). */
const IN_BLOCKS: ReadonlySet<string> = new Set(['owners', 'coupling', 'docs links']);

/** A document, with the blocks of which a page draws it. */
export async function withBlocks({ name, text: load }: AnyQuestion, document: object, values: object): Promise<object> {
  if (!IN_BLOCKS.has(name)) return document;
  const writing = { pen: plainPen(COMMAND_WORDS), values: values as Values<Params>, isCommand: true };
  const blocks = (await load())(document, writing);
  return { ...document, blocks: typeof blocks === 'string' ? [{ say: [blocks] }] : blocks };
}

async function withMarks(document: GrepResponse, values: GrepValues): Promise<MarkedLines> {
  const { marksOf } = await import('../questions/grep/answer.js');
  return { ...document, marks: marksOf(document, values) };
}

const unknownQuestion = () => new SocraticodeError('BAD_ARGUMENT', 'pages cannot ask that');

// Questions that pages may ask, with their parameters (data). All of them only read: parameters that write a file, read another
// repository or stdin are left out. Any other name does not exist for a page.

const SNAPSHOT = ['ref', 'committed'];
const FILTERS = ['path', 'author', 'since', 'until', 'is', 'uses'];

export const OFFERED: Readonly<Record<string, readonly string[]>> = {
  search: [
    ...SNAPSHOT,
    ...FILTERS,
    ...'query lang limit kind in mode noHistory commits noContent lines minScore'.split(' '),
  ],
  grep: [...SNAPSHOT, ...FILTERS, ...'pattern fixed words ignoreCase context count in limit'.split(' ')],
  show: [...SNAPSHOT, 'targets', 'in', 'context'],
  history: ['query', 'ref', 'limit', 'maxCommits', 'since', 'deleted', 'path', 'events', 'noContent'],
  why: ['place', 'ref', 'full', 'limit'],
  review: ['range', 'committed', 'depth', 'limit', 'unseen'],
  coupling: ['target', 'ref', 'minShare', 'minCommits', 'limit'],
  owners: ['paths', 'lines', 'ref', 'limit'],
  hotspots: ['paths', 'symbols', 'tests', 'since', 'ref', 'limit'],
  status: ['ref'],
  'docs links': [...SNAPSHOT, 'target', 'file', 'minConfidence', 'limit'],
  'graph symbol': [...SNAPSHOT, 'names', 'file', 'limit'],
  'graph symbols': [...SNAPSHOT, 'query', 'file', 'kind', 'limit'],
  'graph outline': [...SNAPSHOT, 'files', 'limit', 'maxTokens'],
  'graph deps': [...SNAPSHOT, 'file', 'limit'],
  'graph cycles': [...SNAPSHOT, 'symbols', 'limit'],
  'graph visualize': [...SNAPSHOT, 'view', 'tests', 'path', 'limit'],
  'fleet search': ['query', 'repo', 'ref', 'limit', 'lang', 'kind', 'mode'],
  'fleet repos': ['repo', 'limit'],
  'fleet file': ['repo', 'path', 'ref'],
};

/** Formats that are documents. Others are pictures, and `output` would write them. */
const FIXED: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'graph visualize': { format: 'json' },
};

async function answerAbout({ session, fleet }: Asker): Promise<About> {
  const { repository, gitConfig } = session;
  const { workTree, gitDir } = repository;
  const [settings, branch, head] = await Promise.all([
    session.configOf(null, true).catch(() => null),
    headBranch(repository),
    session.objects.info('HEAD^{commit}'),
  ]);
  const remote = gitConfig.filter(({ key }) => key === 'remote.origin.url').at(-1)?.value;
  // A URL's pathname writes drive letters and spaces as addresses want them.
  const root = workTree === null ? null : pathToFileURL(`${workTree}/`).pathname;
  return {
    name: settings?.config.projectId ?? basename(workTree ?? gitDir).replace(/\.git$/, ''),
    version: packageVersion(),
    root,
    editor: settings?.config.web.editor ?? 'none',
    forge: remote === undefined ? null : forgeOf(remote),
    head: { branch: head === null ? null : branch, commit: head?.oid ?? null },
    hasFleet: fleet !== undefined,
  };
}

/** Newest first; older ones can be typed. */
const MAX_REFS = 500;
const MAX_COMMITS = 50;

async function answerRefs({ session }: Asker, { ref = 'HEAD' }: { ref?: string }): Promise<Refs> {
  const { git } = session.repository;
  const [branches, tags, commits] = await Promise.all([listBranches(git), listTags(git), recentCommits(session, ref)]);
  return {
    branches: branches.slice(0, MAX_REFS).map(({ name, commit }) => ({ name, commit })),
    tags: tags.slice(0, MAX_REFS),
    commits,
  };
}

/** None before the first commit. */
async function recentCommits({ objects, repository }: Session, ref: string): Promise<Refs['commits']> {
  const tip = (await objects.info(`${ref}^{commit}`))?.oid;
  if (tip === undefined) return [];
  const listed = await listCommits(repository.git, { tip, maxCommits: MAX_COMMITS });
  return Promise.all(
    listed.map(async ({ commit }) => {
      const { subject = '', author = '', date = null } = (await readCommit(objects, commit)) ?? {};
      return { commit, subject, author, date };
    }),
  );
}

interface At {
  ref?: string;
}

/** Sending more would take longer than searching. */
const MAX_FILES = 50_000;

async function answerFiles(at: Asker, { ref }: At): Promise<Files> {
  const files = await filesOf(at, ref);
  return { paths: files.slice(0, MAX_FILES).map(({ path }) => path), leftOut: Math.max(0, files.length - MAX_FILES) };
}

async function answerOverview(at: Asker, { ref }: At): Promise<Overview> {
  const [files, known] = await Promise.all([filesOf(at, ref), indexedAs(at, ref)]);
  const [languages, folders] = [new Map<string, number>(), new Map<string, number>()];
  const endings = new Map<string, string>();
  for (const { path, language } of files) {
    const end = path.indexOf('/');
    if (end > 0) count(folders, path.slice(0, end));
    if (language === null) continue;
    count(languages, language);
    const ending = path.slice(path.lastIndexOf('.') + 1);
    if (!endings.has(ending)) endings.set(ending, language);
  }
  return {
    files: known?.files ?? files.length,
    ...(known === null && { isByName: true }),
    languages: most(known?.languages ?? languages),
    folders: most(folders),
    endings: Object.fromEntries(endings),
  };
}

/** The counts of `status`, for which an index reads the files as well; null until there is one. Names alone tell less. */
async function indexedAs({ session }: Asker, ref: string | undefined) {
  const origin = await session.origin(ref, { unborn: true });
  const { config } = await session.configOfOrigin(origin);
  const found = await intactSnapshot(session, origin, vectorSource(session, config));
  if (found === null) return null;
  return { files: found.known.files, languages: new Map(Object.entries(found.about.languages)) };
}

async function filesOf({ session }: Asker, ref: string | undefined) {
  return (await session.filesOf(await session.origin(ref, { unborn: true }))).catalog.files;
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

const most = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([name, files]) => ({ name, files })).sort((a, b) => b.files - a.files);

/** Without a ref the file is the work tree's. Throws GIT_FAILED for a path that the commit lacks, and UNKNOWN_REF. */
async function answerBlame({ session, signal }: Asker, { path, ref }: { path: string; ref?: string }): Promise<Blame> {
  const commit = commitOf(await session.objects.resolve(ref ?? 'HEAD'));
  const contents = ref === undefined ? await editedText(session, path) : null;
  const git = session.repository.git.withConfig(withoutLocalFilters(session.gitConfig));
  const runs = await blame(git, { commit, path, signal, ...(contents !== null && { contents }) });
  const oids = [...new Set(runs.map((run) => run.commit))];
  const commits = await Promise.all(
    oids.map(async (oid) => {
      const { subject = '', author = '', date = null } = (await readCommit(session.objects, oid)) ?? {};
      return [oid, { subject, author, date }] as const;
    }),
  );
  return {
    runs: runs.map(({ line, count, commit: oid }) => ({ line, count, commit: oid })),
    commits: Object.fromEntries(commits),
  };
}

interface OwnAnswer {
  params: Params;
  // biome-ignore lint/suspicious/noExplicitAny: values and parameters belong together inside one entry only.
  answer: (at: Asker, values: any) => Promise<object>;
}

const ref = text({ summary: 'branch, tag or commit', minLength: 1, maxLength: 1_024 });

const OWN_ANSWERS: Readonly<Record<string, OwnAnswer>> = {
  about: { params: {}, answer: answerAbout },
  refs: { params: { ref }, answer: answerRefs },
  files: { params: { ref }, answer: answerFiles },
  overview: { params: { ref }, answer: answerOverview },
  blame: {
    params: { ref, path: text({ summary: 'path from the top', minLength: 1, maxLength: 4_096, required: true }) },
    answer: answerBlame,
  },
};

export interface About {
  /** Name of the project. */
  name: string;
  version: string;
  /** Absolute path of the work tree with a slash at its end, for links into an editor; null for a bare repository. */
  root: string | null;
  editor: string;
  /** Address of the repository on its forge, and how that writes places; null where the forge is not known. */
  forge: Forge | null;
  head: { branch: string | null; commit: string | null };
  /** True if the settings name a fleet, whose repositories can be searched. */
  hasFleet: boolean;
}

/** Lines that match a pattern. */
export interface MarkedLines extends GrepResponse {
  /** Places of the pattern in the text of each hit. */
  marks: [start: number, end: number][][];
}

export interface Refs {
  branches: { name: string; commit: string }[];
  tags: { name: string; commit: string }[];
  /** Newest first, from the ref asked for. */
  commits: { commit: string; subject: string; author: string; date: string | null }[];
}

export interface Files {
  paths: string[];
  leftOut: number;
}

interface Counted {
  name: string;
  files: number;
}

/** Counts of indexed files for a first view. */
export interface Overview {
  files: number;
  /** True before there is an index: the names of all files are counted. */
  isByName?: boolean;
  /** Most files first. */
  languages: Counted[];
  /** Folders at the top, most files first. */
  folders: Counted[];
  /** Language of the first file with each ending. */
  endings: Record<string, string>;
}

export interface Blame {
  /** Runs of lines that one commit wrote, in order; lines that are not committed have none. */
  runs: { line: number; count: number; commit: string }[];
  commits: Record<string, { subject: string; author: string; date: string | null }>;
}
