/** Which repositories are linked to one: its submodules, and what its settings and the user's name. One level, no more. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { namedLinks } from '../../config/linked.js';
import type { LinkState } from '../../engine/contract/linked.js';
import { readSubmodulePaths } from '../../git/submodules.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { allowCommand, Consent, realPath } from './consent.js';

/** More would make one question many. */
export const MAX_LINKS = 20;

export interface Link {
  /** As it was named, or the submodule's path. */
  path: string;
  source: 'submodule' | 'settings';
  /** The user named this directory, or one above it: it may belong to a repository elsewhere. */
  trusted: boolean;
  /** Real path of what may be opened; null where nothing may. */
  directory: string | null;
  /** Why it is not opened; null where it may be. */
  refusal: { state: LinkState; reason: string } | null;
}

export interface Links {
  list: Link[];
  consent: Consent;
}

/** Submodules first, then the settings' own order. Opens no repository. Throws BAD_CONFIG. */
export async function findLinks(session: Session, origin: SnapshotOrigin): Promise<Links> {
  const { repository } = session;
  const { config } = await session.configOfOrigin(origin);
  const consent = new Consent(repository.workTree ?? repository.gitDir, config.linked.allow);
  const submodules = await readSubmodulePaths(repository);
  const named = namedLinks(config.linkedProjects, session.sourcesOf(origin));
  const list = [
    ...submodules.flatMap((path) => submoduleLink(path, repository.workTree as string, consent)),
    ...named.map(({ path, trusted }) => namedLink(path, trusted, consent)),
  ];
  return { list: capped(withoutRepeats(list)), consent };
}

/** Only those that are checked out; a path that leads elsewhere is no submodule of this repository. */
function submoduleLink(path: string, workTree: string, consent: Consent): Link[] {
  const directory = realPath(join(workTree, path));
  if (directory === null || !consent.isInside(directory)) return [];
  if (lstatSync(join(directory, '.git'), { throwIfNoEntry: false }) === undefined) return [];
  return [{ path, source: 'submodule', trusted: false, directory, refusal: null }];
}

function namedLink(path: string, trusted: boolean, consent: Consent): Link {
  const place = consent.locate(path);
  const directory = realPath(place);
  const link = { path, source: 'settings', trusted: false, directory: null, refusal: null } as const;
  const leadsOut = !consent.isInside(directory ?? place);
  // A path that the user named is the user's as it stands, but not what a link in the tree makes of it.
  const isTrusted = (trusted && !consent.isInside(place)) || consent.isAllowed(directory ?? place);
  if (leadsOut && !isTrusted) {
    const reason = `it leads out of this repository; to allow that: ${allowCommand(directory ?? place)}`;
    return { ...link, refusal: { state: 'not-allowed', reason } };
  }
  if (directory === null) return { ...link, refusal: { state: 'missing', reason: 'no such directory' } };
  return { ...link, trusted: isTrusted, directory };
}

/** The same directory under two names is one link. */
function withoutRepeats(links: readonly Link[]): Link[] {
  const seen = new Set<string>();
  return links.filter(({ directory }) => {
    if (directory === null) return true;
    const isNew = !seen.has(directory);
    seen.add(directory);
    return isNew;
  });
}

function capped(links: readonly Link[]): Link[] {
  const refusal = { state: 'left-out', reason: `more than ${MAX_LINKS} repositories are linked` } as const;
  const opened = new Set(links.filter((link) => link.refusal === null).slice(0, MAX_LINKS));
  // What is not opened is said for as many again: a list of a thousand is somebody's mistake.
  const others = links.filter((link) => !opened.has(link)).slice(0, MAX_LINKS);
  const shown = new Set([...opened, ...others]);
  return links
    .filter((link) => shown.has(link))
    .map((link) => (opened.has(link) || link.refusal !== null ? link : { ...link, directory: null, refusal }));
}
