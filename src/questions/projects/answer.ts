/** The repositories that belong to one: its work trees, submodules and linked ones, each with how much of it is indexed. */
import { basename } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { readBranchAndRemotes } from '../../git/porcelain.js';
import { listWorktrees, type Worktree } from '../../git/worktrees.js';
import { realPath } from '../../session/linked/consent.js';
import { labelsOf } from '../../session/linked/labels.js';
import { inspectLink } from '../../session/linked/linked-repository.js';
import { findLinks, type Link, type Links } from '../../session/linked/links.js';
import { Session } from '../../session/session.js';
import { readCoverage } from '../../session/snapshot/known-coverage.js';
import type { Asker, ServerSide } from '../asker.js';
import type { ProjectEntry, ProjectsReport } from './output.js';

/** Each has a tree to be listed. */
const MAX_WORKTREES = 20;

export async function answerProjects({ session, server }: Asker): Promise<ProjectsReport> {
  const open = await (server as ServerSide).projects.opened();
  return readProjects(
    session,
    open.map((project) => project.session),
  );
}

/** `open`: further repositories that a server has open. Throws BAD_CONFIG for this repository's own settings only. */
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
  // A link that leads back here is listed as what it is.
  const further = linked.filter(({ path, state }) => state !== 'same' || !places.has(path));
  const projects = [own, ...trees, ...further, ...others];
  const labels = labelsOf(
    projects.map((entry) => ({ ...entry, projectId: entry.name, directory: entry.path })),
    [],
  );
  return {
    schemaVersion: 1,
    projects: projects.map((entry, i) => ({ ...entry, name: labels[i] })),
    leftOut: worktrees.length - listed.length,
  };
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

/** Through this repository's own objects: what lies at the path may be anything. */
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
