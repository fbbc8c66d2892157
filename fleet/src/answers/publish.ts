/** Answers `publish`: chooses refs and names, opens the fleet, and publishes one ref after the other. */
import type { FleetProfile } from '../contract.js';
import {
  type Asker,
  type Config,
  commandText,
  createProgress,
  type PublishReport,
  type PublishValues,
  SocraticodeError,
} from '../internal.js';
import { checkName, keptOf } from '../keys.js';
import { installedProfile } from '../publish/profile.js';
import { Publisher, type RefReport } from '../publish/publish.js';
import { publishRefs, repositoryName } from '../publish/refs.js';
import type { PublishTarget } from '../target.js';

/** Throws BAD_ARGUMENT, UNKNOWN_REF, FLEET_PACKAGES, and the errors of indexing, of a store and of a server. */
export async function answerPublish({ session, signal }: Asker, values: PublishValues): Promise<PublishReport> {
  const { config } = await session.configOf(null, true);
  const to = values.to ?? config.fleet.url;
  if (to === undefined) {
    const hint = `Name it: ${commandText('publish', { to: 'URL' })}`;
    throw new SocraticodeError('BAD_ARGUMENT', 'no fleet is named', { hint });
  }
  const repo = checkName(values.repo ?? config.fleet.repo ?? (await repositoryName(session, values.to)), 'repository');
  const family = checkName(config.fleet.family ?? repo, 'family');
  const { chosen, known } = await publishRefs(session, withDefaultRefs(values, config.fleet.refs));
  const profile = installedProfile(config);
  const target = await openTarget(to, { profile, config, signal });
  const progress = createProgress('publishing');
  const publisher = new Publisher(session, target, profile, {
    repo,
    family,
    dryRun: values.dryRun,
    keep: values.keep,
    signal,
    progress,
  });
  try {
    const refs: RefReport[] = [];
    for (const each of chosen) refs.push(await publisher.publish(each));
    if (values.prune)
      refs.push(...(await prune(publisher, { target, known, repo, family, profile, dryRun: values.dryRun })));
    return { schemaVersion: 1, repo, to, refs };
  } finally {
    progress.finish();
    await target.close();
  }
}

/** Adds the branches of the setting if the values name no ref. A commit with a name of its own (`as`) is published alone. */
function withDefaultRefs(values: PublishValues, refs: readonly string[]): PublishValues {
  const isNamed = values.ref?.length || values.branches?.length || values.as !== undefined;
  return isNamed || refs.length === 0 ? values : { ...values, branches: [...refs] };
}

async function openTarget(
  to: string,
  { profile, config, signal }: { profile: FleetProfile; config: Config; signal: AbortSignal },
): Promise<PublishTarget> {
  if (/^https?:\/\//.test(to)) {
    const { HttpTarget } = await import('../publish/http.js');
    return new HttpTarget(to, { token: process.env.SOCRATICODE_FLEET_TOKEN, signal });
  }
  const [{ openEngine }, { FleetIntake }] = await Promise.all([import('../open.js'), import('../intake.js')]);
  return new FleetIntake(await openEngine(to, profile), { keepsText: config.fleet.content });
}

interface PruneWork {
  target: PublishTarget;
  known: ReadonlySet<string>;
  repo: string;
  family: string;
  profile: FleetProfile;
  dryRun: boolean | undefined;
}

/** Deletes refs that the repository has no more, and the kept commits of these. */
export async function prune(
  publisher: Publisher,
  { target, known, repo, family, profile, dryRun }: PruneWork,
): Promise<RefReport[]> {
  const published = await target.refs({ profile: profile.id, repo, family });
  const gone: RefReport[] = [];
  for (const { ref, commit } of published.filter((view) => !known.has(keptOf(view.ref) ?? view.ref))) {
    const counts = { covered: 0, total: 0, missing: 0, sentBytes: 0 };
    if (dryRun || (await publisher.remove(ref, commit)))
      gone.push({ ref, commit, outcome: dryRun ? 'planned' : 'deleted', ...counts });
  }
  return gone;
}
