/** Answers readers: `POST /fleet/search`, `/fleet/repos`, `/fleet/file`, with JSON as body and answer. */
import { SocraticodeError } from '../../base/errors.js';
import type { FleetAsking } from '../ask/asking.js';
import { fileParams, readBodyValues, reposParams, searchParams } from '../ask/params.js';

export const QUESTIONS = ['search', 'repos', 'file'] as const;
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
  return fleet.file(readBodyValues(fileParams, json), signal);
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new SocraticodeError('BAD_ARGUMENT', 'the body is no JSON');
  }
}
