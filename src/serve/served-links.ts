/** Linked repositories as a server opens them: like any other of its projects, which the consent makes them. */
import type { LinkAccess } from '../session/linked/linked-search.js';
import type { Projects } from './projects.js';

/** A project answers from what there is within two seconds of its first question; opening it comes before. */
const GRACE_MS = 3_000;

/** What is opened can be named as a project afterwards. */
export function servedLinks(projects: Projects): LinkAccess {
  return {
    graceMs: GRACE_MS,
    async open(directory) {
      projects.permit(directory);
      const { project, release } = await projects.lease(directory);
      const { session, searcher, background } = project;
      return { session, searcher, isIndexing: () => background.isBusy, release };
    },
  };
}
