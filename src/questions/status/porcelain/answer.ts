/** `status --porcelain` starts no `git status` and opens neither notes nor vectors, which take most of a status. */
import { join } from 'node:path';
import { lockHolder } from '../../../base/lock.js';
import { headBranch } from '../../../git/repository.js';
import { retried } from '../../../session/retry.js';
import type { Session } from '../../../session/session.js';
import { countUnits, coverageOf } from '../../../session/snapshot/coverage.js';
import type { PorcelainStatus } from './output.js';

/** Throws UNKNOWN_REF and BAD_CONFIG. */
export function answerPorcelain(session: Session, ref?: string): Promise<PorcelainStatus> {
  return retried(session, ref, async () => {
    const { repository, shards } = session;
    const [scope, branch] = await Promise.all([
      session.origin(ref, { unborn: true }).then((origin) => session.filesOf(origin)),
      headBranch(repository),
    ]);
    const manifest = shards.readManifest();
    const counts = countUnits(scope, shards.openShards(manifest), manifest);
    return {
      schemaVersion: 1,
      ref: scope.ref,
      commit: scope.commit,
      branch,
      coverage: coverageOf(counts),
      writer: lockHolder(join(repository.commonDir, 'socraticode', 'writer.lock')),
    };
  });
}
