/** Faults of LanceDB as errors of a fleet. */
import { isSocraticodeError, SocraticodeError } from '../../../base/errors.js';

const MAX_SAID = 300;
/** Places in LanceDB's own sources and names of its layers, which messages hold: no reader can use them. */
const SOURCES = /,? ?\/\S+\.rs:\d+(?::\d+)?/g;
const LAYERS =
  /(?:Failed to get next batch from stream: |lance error: |LanceError\(\w+\): |Generic \S+ error: |Wrapped error: )/g;

export function storeFault(error: unknown): Error {
  if (isSocraticodeError(error)) return error;
  const [line] = (error as Error).message.split('\n');
  const said = line.replace(SOURCES, '').replace(LAYERS, '').slice(0, MAX_SAID);
  return new SocraticodeError('FLEET_STORE', `the fleet's store failed: ${said}`, { cause: error });
}

/** True for an error that a deleted file of a table may have caused: a reader says so, a writer panics. */
export const isFileGone = (error: unknown): boolean =>
  /not found.*\.lance\/|^panic in async/i.test((error as Error).message);

/** True for an error that another process's commit caused: trying again helps. */
export const isCollision = (error: unknown): boolean => /conflict|retryable|preempted/i.test((error as Error).message);
