/** Finds the repositories linked to one: submodules, and links of its settings or the user's. Links of links do not count. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { namedLinks } from '../../config/linked.js';
import { readSubmodulePaths } from '../../git/submodules.js';
import type { LinkState } from '../../questions/results/output.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';
import { allowCommand, Consent, realPath } from './consent.js';

/** Limit on repositories searched with one question. */
export const MAX_LINKS = 20;

export interface Link {
  /** Path as written in the settings, or the submodule's path. */
  path: string;
  source: 'submodule' | 'settings';
  /** True if the user named this directory or one above it: its git directory may then be elsewhere. */
  trusted: boolean;
  /** Real path of the directory that may be opened; null if refused. */
  directory: string | null;
  /** Reason for the refusal; null if the directory may be opened. */
  refusal: { state: LinkState; reason: string } | null;
}

export interface Links {
  list: Link[];
  consent: Consent;
}

/** Lists submodules first, then the settings' links in their order. Opens no repository. Throws BAD_CONFIG. */
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

/** Returns a link only for a checked-out submodule inside this repository. */
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
  // The user's consent covers the path as written, not the target of a symlink inside the tree.
  const isTrusted = (trusted && !consent.isInside(place)) || consent.isAllowed(directory ?? place);
  if (leadsOut && !isTrusted) {
    const reason = `it leads out of this repository; to allow that: ${allowCommand(directory ?? place)}`;
    return { ...link, refusal: { state: 'not-allowed', reason } };
  }
  if (directory === null) return { ...link, refusal: { state: 'missing', reason: 'no such directory' } };
  return { ...link, trusted: isTrusted, directory };
}

/** Removes further names of one directory. */
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
  // Refusals are reported for at most as many again: a list of a thousand links is a mistake.
  const others = links.filter((link) => !opened.has(link)).slice(0, MAX_LINKS);
  const shown = new Set([...opened, ...others]);
  return links
    .filter((link) => shown.has(link))
    .map((link) => (opened.has(link) || link.refusal !== null ? link : { ...link, directory: null, refusal }));
}
