/** Faults of LanceDB as errors of a fleet. */
import { isSocraticodeError, SocraticodeError } from '../../internal.js';
import { REBUILD } from '../../sealed.js';

const MAX_SAID = 300;
/** Places in LanceDB's own sources and names of its layers, which messages hold: no reader can use them. */
const SOURCES = /,? ?\/\S+\.rs:\d+(?::\d+)?/g;
const LAYERS =
  /(?:Failed to get next batch from stream: |lance error: |LanceError\(\w+\): |Generic \S+ error: |Wrapped error: )/g;

/** Messages about files that are cut or overwritten: neither waiting nor publishing mends those. */
const DAMAGED =
  /file size is too small|sufficient data|invalid range|magic number|corrupt|checksum|decode error|protobuf|invalid (?:flatbuffer|manifest)|has the columns/i;

export function storeFault(error: unknown): Error {
  if (isSocraticodeError(error)) return error;
  const [line] = (error as Error).message.split(/\n|\s+Caused by: /);
  const said = line.replace(SOURCES, '').replace(LAYERS, '').slice(0, MAX_SAID);
  const hint = DAMAGED.test(said) ? { hint: REBUILD } : {};
  return new SocraticodeError('FLEET_STORE', `the fleet's store failed: ${said}`, { ...hint, cause: error });
}

/** True for an error that a file causes which is cut or overwritten. */
export const isDamage = (error: unknown): boolean => DAMAGED.test((error as Error).message);

/** True for an error that a deleted file of a table may have caused: a reader says so, a writer panics. */
export const isFileGone = (error: unknown): boolean =>
  /not found.*\.lance\/|^panic in async/i.test((error as Error).message);

/** True for an error that another process's commits caused: trying again helps. A merge gives up by itself after 30 s of them. */
export const isCollision = (error: unknown): boolean =>
  /conflict|retryable|preempted|too many concurrent writers/i.test((error as Error).message);

/** Tries of work whose commits collide with those of others. */
const TRIES = 8;

/** Runs `work`, and again while another process's commits come before its own. What it has done must be harmless to repeat. */
export async function despiteCollisions<T>(work: () => Promise<T>, tries = TRIES): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === tries || !isCollision(error)) throw error;
    }
  }
}
