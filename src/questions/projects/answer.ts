/** The repositories that belong to one, each with how much of it is indexed, and the names of others that this user indexed. */
import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { knownRepositories } from '../../base/local-key.js';
import { groupDigits } from '../../base/printable.js';
import { readBranchAndRemotes } from '../../git/porcelain.js';
import { listWorktrees, type Worktree } from '../../git/worktrees.js';
import { readCoverage } from '../../session/indexing/known-snapshot.js';
import { Session } from '../../session/session.js';
import { labelsOf } from '../../session/siblings/ask.js';
import { realPath } from '../../session/siblings/consent.js';
import { findLinks, inspectLink, type Link, type Links } from '../../session/siblings/links.js';
import type { Asker, ServerCaller } from '../asker.js';
import type { ProjectEntry, ProjectsReport } from './question.js';

/** Limit of work trees, since listing each reads a tree. */
const MAX_WORKTREES = 20;
/** Limit of other repositories of this user, the newest first. */
const MAX_KNOWN = 50;

export async function answerProjects({ session, server }: Asker): Promise<ProjectsReport> {
  const open = await (server as ServerCaller).projects.opened();
  return readProjects(
    session,
    open.map((project) => project.session),
  );
}

/** `open` are other repositories that a server has open. Throws BAD_CONFIG for this repository's own settings only. */
async function readProjects(session: Session, open: readonly Session[] = []): Promise<ProjectsReport> {
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

const COMMIT = 9;

export function projectsText({ projects, leftOut }: ProjectsReport): string {
  const lines = projects.map(line);
  if (leftOut > 0) lines.push(`and ${groupDigits(leftOut)} more`);
  return `${lines.join('\n')}\n`;
}

/** `lib  /home/me/lib  linked, main @ 1a2b3c4d5, indexed 120/120` */
function line({ name, path, relation, state, branch, commit, coverage, reason }: ProjectEntry): string {
  const at = commit === null ? '' : `, ${branch ?? 'detached'} @ ${commit.slice(0, COMMIT)}`;
  const files = coverage === null ? '' : ` ${coverage.covered}/${coverage.total} files`;
  const why = reason === null ? '' : `: ${reason}`;
  return `${name}  ${path}  ${relation}${at}, ${state}${files}${why}`;
}
