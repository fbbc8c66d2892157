/** Answers readers: `POST /fleet/search`, `/fleet/repos`, `/fleet/file`, `/fleet/uses`, with JSON as body and answer. */
import { readAskedFacts } from '../ask/uses.js';
import {
  type FleetAsking,
  fileParams,
  jsonIn,
  NO_JSON,
  readBodyValues,
  reposParams,
  SocraticodeError,
  searchParams,
  usesParams,
} from '../internal.js';

export const QUESTIONS = ['search', 'repos', 'file', 'uses'] as const;
export type FleetQuestion = (typeof QUESTIONS)[number];

/** Throws BAD_ARGUMENT and what the questions throw. */
export function answerReader(
  name: FleetQuestion,
  body: Uint8Array,
  { fleet, signal }: { fleet: FleetAsking; signal: AbortSignal },
): Promise<object> {
  const json = parsed(body);
  if (name === 'search') return fleet.search(readBodyValues(searchParams, json), signal);
  if (name === 'repos') return fleet.repos(readBodyValues(reposParams, json), signal);
  if (name === 'uses') return askUses(json, { fleet, signal });
  return fleet.file(readBodyValues(fileParams, json), signal);
}

function askUses(json: unknown, { fleet, signal }: { fleet: FleetAsking; signal: AbortSignal }): Promise<object> {
  const { published: _, reached: __, ...values } = (json ?? {}) as Record<string, unknown>;
  return fleet.uses({ ...readBodyValues(usesParams, values), ...readAskedFacts(json) }, signal);
}

function parsed(body: Uint8Array): unknown {
  try {
    return jsonIn(body);
  } catch {
    throw new SocraticodeError('BAD_ARGUMENT', NO_JSON);
  }
}
