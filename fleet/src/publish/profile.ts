/** Profile of the contents that this installation makes under the user's settings. */
import type { FleetProfile } from '../contract.js';
import {
  builtinIdentity,
  type Config,
  isProvider,
  profileId,
  SocraticodeError,
  syntaxFingerprint,
  vectorSource,
} from '../internal.js';
import { fleetProfile } from '../keys.js';

/** Throws BAD_CONFIG for a provider whose dimensions are not set. */
export function installedProfile({ embedder }: Pick<Config, 'embedder'>): FleetProfile {
  const profile = profileId(syntaxFingerprint());
  const source = vectorSource({ profile }, { embedder });
  const provider = isProvider(embedder) ? source.dimensions : null;
  if (isProvider(embedder) && provider === null) {
    const hint = 'Set it: git config --global socraticode.embedder.dimensions N';
    throw new SocraticodeError('BAD_CONFIG', `a fleet needs embedder.dimensions of ${source.model}`, { hint });
  }
  return fleetProfile(profile, source.profile, { pathDimensions: builtinIdentity().dimensions, provider });
}
