/** The repository of a page, and where links to its places lead. */

import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { packageVersion } from '../../base/version.js';
import { forgeOf } from '../../git/forge.js';
import { headBranch } from '../../git/repository.js';
import type { Asker } from '../../questions/asker.js';
import type { About } from './output.js';

export async function answerAbout({ session, fleet }: Asker): Promise<About> {
  const { repository, gitConfig } = session;
  const { workTree, gitDir } = repository;
  const [settings, branch, head] = await Promise.all([
    session.configOf(null, true).catch(() => null),
    headBranch(repository),
    session.objects.info('HEAD^{commit}'),
  ]);
  const remote = gitConfig.filter(({ key }) => key === 'remote.origin.url').at(-1)?.value;
  // A pathname has drive letters and spaces as addresses want them.
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
