/** Settings in effect, profiles with their records, the repositories that belong together, and what the server is. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { knownRepositories } from '../../base/local-key.js';
import { groupDigits, shortOid } from '../../base/printable.js';
import { packageVersion } from '../../base/runtime.js';
import { unreadLines, unreadVariables } from '../../config/resolve.js';
import { SETTINGS, settingAt } from '../../config/settings.js';
import { readBranchAndRemotes } from '../../git/branches.js';
import { resolveRef } from '../../git/objects.js';
import { listWorktrees, type Worktree } from '../../git/repository.js';
import { readCoverage } from '../../session/indexing/known-snapshot.js';
import { checkedAbout, currentConfig, foreignNotice, useOf } from '../../session/records/profiles.js';
import { COMPILER_ABOUT, COMPILER_PROFILE, Session } from '../../session/session.js';
import { labelsOf } from '../../session/siblings/ask.js';
import { findLinks, inspectLink, type Link, type Links, MAX_LINKS, realPath } from '../../session/siblings/links.js';
import { vectorSource } from '../../session/vectors/vector-source.js';
import { type KnownProfile, listProfiles } from '../../share/exported-records.js';
import type { Asker, ServerCaller } from '../asker.js';
import { formatBytes, formatCount } from '../format.js';
import { TOOLSETS } from '../question.js';
import { MAX_RESULTS } from '../shared-params.js';
import type { About, ConfigReport, ConfigValues, ProfilesReport, ProjectEntry, ProjectsReport } from './question.js';

export const answerConfig = ({ session }: Asker, { ref }: ConfigValues) => readConfig(session, ref);

/** Throws UNKNOWN_REF and BAD_CONFIG. */
export async function readConfig(session: Session, ref?: string): Promise<ConfigReport> {
  const tree = await resolveRef(session.objects, ref ?? 'HEAD').then(
    (resolved) => resolved.tree,
    (error) => {
      // Without a commit, the work tree's settings apply.
      if (isSocraticodeError(error, 'UNBORN_HEAD')) return null;
      throw error;
    },
  );
  const { config, origins } = await session.configOf(tree, ref === undefined);
  const values = Object.keys(SETTINGS).flatMap((key) => {
    const value = settingAt(config, key);
    return value === undefined ? [] : [{ key, value, origin: origins[key] ?? 'default' }];
  });
  const unread = unreadVariables(process.env, (key) => (origins[key] ?? 'default') !== 'default');
  return { schemaVersion: 1, values, ...(unread.length > 0 && { unread }) };
}

export function configText(
  { values: settings, unread = [] }: ConfigReport,
  { values }: { values: ConfigValues },
): string {
  const width = Math.max(...settings.map(({ origin }) => origin.length));
  const lines = settings.map(({ key, value, origin }) => {
    const prefix = values.showOrigin ? `${origin.padEnd(width)}  ` : '';
    return `${prefix}${key}=${typeof value === 'string' ? value : JSON.stringify(value)}\n`;
  });
  return [...lines, ...unreadLines(unread).map((line) => `# ${line}\n`)].join('');
}

// Profiles.

/** Throws BAD_CONFIG and GIT_FAILED. */
export async function answerProfiles({ session }: Asker) {
  const { repository, objects } = session;
  const config = await currentConfig(session);
  const head = await objects.resolve('HEAD').catch(() => null);
  const known = await listProfiles(repository, objects, head?.tree ?? null);
  const source = vectorSource(session, config);
  const own = new Map([
    [session.profile, session.about],
    [source.profile, source.about],
    [COMPILER_PROFILE, COMPILER_ABOUT],
  ]);
  const profiles = known.map(({ kind, profile, about: said, places }: KnownProfile) => {
    // For profiles that this installation writes, its own description is the true one.
    const about = checkedAbout(profile, own.get(profile) ?? said);
    return { kind, profile, use: useOf(session, config, { kind, profile }, about), about, places };
  });
  return { schemaVersion: 1 as const, profiles, notice: await foreignNotice(session) };
}

type Profile = ProfilesReport['profiles'][number];

const USES: Readonly<Record<Profile['use'], string>> = {
  current: 'in use',
  readable: 'of another embedder; in use with its settings',
  newer: 'of a newer version, which this one cannot read',
  older: 'of an older version',
  other: 'of another version',
  unknown: 'of unknown origin: its notes do not describe it',
};

export function profilesText({ profiles, notice }: ProfilesReport): string {
  if (profiles.length === 0) return 'nothing is indexed yet: git socraticode index\n';
  const lines = profiles.flatMap((profile) => [
    `${profile.kind} ${profile.profile}: ${USES[profile.use]}${describe(profile)}`,
    ...profile.places.map(({ name, records, bytes, date }) => {
      const parts = [records === null ? null : formatCount(records, 'record'), formatBytes(bytes), date];
      return `  ${name}: ${parts.filter((part) => part !== null).join(', ')}`;
    }),
  ]);
  if (notice !== null) lines.push(notice);
  return `${lines.join('\n')}\n`;
}

/** Embedder and dimensions of vectors, or version of the chunker; the document has the rest. */
function describe({ about }: Profile): string {
  if (about === null) return '';
  const { embedder, dimensions, chunker } = about;
  const parts = [
    typeof embedder === 'string' ? embedder : null,
    typeof dimensions === 'number' ? `${dimensions} dimensions` : null,
    typeof chunker === 'number' ? `extraction ${chunker}` : null,
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

// Repositories that belong to this one, and others that this user indexed.

/** Limit of work trees, since listing each reads a tree. */
const MAX_WORKTREES = 20;
/** Limit of other repositories of this user, the newest first. */
const MAX_KNOWN = 50;

/** Throws BAD_CONFIG for this repository's own settings only. */
export async function answerProjects({ session, server }: Asker): Promise<ProjectsReport> {
  const open = (await (server as ServerCaller).projects.opened()).map((project) => project.session);
  const origin = await session.origin(undefined, { unborn: true });
  const links = await findLinks(session, origin);
  const [own, worktrees, linked] = await Promise.all([
    describeSession(session, 'this'),
    otherWorktrees(session),
    Promise.all(links.list.map((link) => describeLink(session, link, links))),
  ]);
  const seen = new Set([own, ...linked].map(({ path }) => path));
  const others = await Promise.all(
    open.filter(({ repository }) => !seen.has(placeOf(repository))).map((each) => describeSession(each, 'open')),
  );
  const listed = worktrees.slice(0, MAX_WORKTREES);
  const trees = await Promise.all(listed.map((tree) => describeWorktree(session, tree)));
  const places = new Set([own, ...trees].map(({ path }) => path));
  // A link that leads back to a repository in the list is left out.
  const further = linked.filter(({ path, state }) => state !== 'same' || !places.has(path));
  const listedPaths = new Set([own, ...trees, ...further, ...others].map(({ path }) => path));
  const known = knownRepositories().filter((path) => !listedPaths.has(path) && existsSync(path));
  const projects = [own, ...trees, ...further, ...others, ...known.reverse().slice(0, MAX_KNOWN).map(knownProject)];
  const labels = labelsOf(
    projects.map((entry) => ({ ...entry, projectId: entry.name, directory: entry.path })),
    [],
  );
  return {
    schemaVersion: 1,
    projects: projects.map((entry, i) => ({ ...entry, name: labels[i] })),
    leftOut: worktrees.length - listed.length + Math.max(0, known.length - MAX_KNOWN),
  };
}

/** A repository that this user indexed once. It is named alone: a server opens what its user allows. */
function knownProject(path: string): ProjectEntry {
  const reason = 'to ask about it, start the server there, or allow its directory when the server is started';
  return { ...NOTHING, name: nameOf(path), path, relation: 'known', state: 'not-allowed', reason };
}

const placeOf = ({ workTree, gitDir }: Session['repository']) => workTree ?? gitDir;

const NOTHING = { branch: null, commit: null, coverage: null, reason: null } as const;

async function describeSession(session: Session, relation: ProjectEntry['relation']): Promise<ProjectEntry> {
  const path = placeOf(session.repository);
  const about = { ...NOTHING, name: nameOf(path), path, relation };
  try {
    const { branch } = await readBranchAndRemotes(session.repository);
    const origin = await session.origin(undefined, { unborn: true });
    const { config } = await session.configOfOrigin(origin);
    const named = { ...about, name: config.projectId ?? about.name, branch };
    const { commit } = origin.resolved;
    if (commit === null) return { ...named, state: 'unborn' };
    return { ...named, commit, ...indexed(await readCoverage(session, origin)) };
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    return { ...about, state: 'failed', reason: `${error.message}; ${error.hint}` };
  }
}

function indexed(coverage: { covered: number; total: number }): Pick<ProjectEntry, 'state' | 'coverage'> {
  return { coverage, state: coverage.covered < coverage.total ? 'partial' : 'indexed' };
}

const nameOf = (path: string) => basename(path).replace(/(?!^)\.git$/, '');

async function otherWorktrees(session: Session): Promise<Worktree[]> {
  const own = realPath(placeOf(session.repository));
  const all = await listWorktrees(session.repository);
  return all.filter(({ path, bare }) => !bare && realPath(path) !== own);
}

/** Describes a work tree through this repository's objects, since the path may hold anything. */
async function describeWorktree(session: Session, { path, commit, branch }: Worktree): Promise<ProjectEntry> {
  const about = { ...NOTHING, name: nameOf(path), path, relation: 'worktree', branch } as const;
  if (realPath(path) === null) return { ...about, commit, state: 'missing', reason: 'git worktree prune forgets it' };
  if (commit === null) return { ...about, state: 'unborn' };
  const coverage = await session.origin(commit).then((origin) => readCoverage(session, origin));
  return { ...about, commit, ...indexed(coverage) };
}

async function describeLink(main: Session, link: Link, { consent }: Links): Promise<ProjectEntry> {
  const relation = link.source === 'submodule' ? 'submodule' : 'linked';
  const path = link.directory ?? link.path;
  const about = { ...NOTHING, name: nameOf(path), path, relation } as const;
  if (link.directory === null || link.refusal !== null) return { ...about, ...refused(link.refusal) };
  const found = await inspectLink(link, link.directory, main.repository, consent);
  if ('state' in found) return { ...about, ...refused(found) };
  const session = await Session.open({ directory: link.directory });
  try {
    return await describeSession(session, relation);
  } finally {
    session.close();
  }
}

function refused(refusal: { state: ProjectEntry['state']; reason: string } | null) {
  return refusal ?? { state: 'missing' as const, reason: null };
}

export function projectsText({ projects, leftOut }: ProjectsReport): string {
  const lines = projects.map(projectLine);
  if (leftOut > 0) lines.push(`and ${groupDigits(leftOut)} more`);
  return `${lines.join('\n')}\n`;
}

/** `lib  /home/me/lib  linked, main @ 1a2b3c4d5, indexed 120/120` */
function projectLine({ name, path, relation, state, branch, commit, coverage, reason }: ProjectEntry): string {
  const at = commit === null ? '' : `, ${branch ?? 'detached'} @ ${shortOid(commit)}`;
  const files = coverage === null ? '' : ` ${coverage.covered}/${coverage.total} files`;
  const why = reason === null ? '' : `: ${reason}`;
  return `${name}  ${path}  ${relation}${at}, ${state}${files}${why}`;
}

// The server itself.

const LICENCE = 'Apache-2.0; licences of the packages it uses stand beside them in node_modules';

/** With invalid settings, describes the built-in model. Throws BAD_CONFIG. */
export async function answerAbout({ session, questions }: Asker): Promise<About> {
  const tools = (await questions()).flatMap(({ tool }) => (tool === undefined ? [] : [tool]));
  const toolsets = TOOLSETS.map((name) => {
    const own = tools.filter(({ toolset }) => toolset === name);
    return { name, tools: own.map((tool) => tool.name) };
  });
  const { config } = await session.configOfOrigin(await session.origin(undefined, { unborn: true }));
  const { embedder, model, dimensions } = vectorSource(session, config);
  return {
    schemaVersion: 1,
    version: packageVersion(),
    licence: LICENCE,
    toolsets,
    embedder: { name: embedder, model, dimensions },
    limits: { maxFileBytes: config.maxFileBytes, results: MAX_RESULTS, linkedRepositories: MAX_LINKS },
    storage: {
      'refs/notes/socraticode/': 'records: what is known of each file content; can be shared',
      [session.shards.directory]: 'search files and graph: a cache of this machine',
    },
    documentation: ['README.md of the package git-socraticode', 'codebase_health, codebase_status'],
  };
}

export function aboutText({ version, licence, toolsets, embedder, limits, storage, documentation }: About): string {
  const short = (name: string) => name.replace(/^codebase_/, '');
  const lines = [
    `git-socraticode ${version} (${licence.split(';')[0]})`,
    ...toolsets.map(({ name, tools }) => `${name}: ${tools.map(short).join(' ')}`),
    `embedder: ${embedder.name} ${embedder.model}`,
    `limits: ${Object.entries(limits)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
    `stored in: ${Object.keys(storage).join(', ')}`,
    `read: ${documentation.join('; ')}`,
  ];
  return `${lines.join('\n')}\n`;
}
