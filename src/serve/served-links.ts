/** Opens linked repositories in a server, as projects: the user's consent to the link allows that. */
import type { LinkAccess } from '../session/linked/other-repositories.js';
import type { Projects } from './projects.js';

/** A project answers within two seconds of its first question, plus the time to open it. */
const GRACE_MS = 3_000;

/** A repository that was opened as a link can be named as a project afterwards. */
export function servedLinks(projects: Projects): LinkAccess {
  return {
    graceMs: GRACE_MS,
    async open(directory) {
      projects.permit(directory);
      const { project, release } = await projects.lease(directory);
      const { session, searcher, background } = project;
      const graphs = () => project.graphs();
      return { session, searcher, graphs, isIndexing: () => background.isBusy, release };
    },
  };
}
