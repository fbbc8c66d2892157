/** Faults of LanceDB as errors of a fleet. */
import { isSocraticodeError, SocraticodeError } from '../../internal.js';
import { REBUILD } from '../../sealed.js';

const MAX_SAID = 300;
/** Places in LanceDB's sources and names of its layers, which are removed from messages: they do not help a reader. */
const SOURCES = /,? ?\/\S+\.rs:\d+(?::\d+)?/g;
const LAYERS =
  /(?:Failed to get next batch from stream: |lance error: |LanceError\(\w+\): |Generic \S+ error: |Wrapped error: )/g;

/** Messages about truncated or overwritten files, which neither waiting nor publishing repairs. */
const DAMAGED =
  /file size is too small|sufficient data|invalid range|magic number|corrupt|checksum|decode error|protobuf|invalid (?:flatbuffer|manifest)|has the columns/i;

export function storeFault(error: unknown): Error {
  if (isSocraticodeError(error)) return error;
  const [line] = (error as Error).message.split(/\n|\s+Caused by: /);
  const said = line.replace(SOURCES, '').replace(LAYERS, '').slice(0, MAX_SAID);
  const hint = DAMAGED.test(said) ? { hint: REBUILD } : {};
  return new SocraticodeError('FLEET_STORE', `the fleet's store failed: ${said}`, { ...hint, cause: error });
}

/** True for the error of a truncated or overwritten file. */
export const isDamage = (error: unknown): boolean => DAMAGED.test((error as Error).message);

/** True for an error that a deleted file of a table may have caused: a reader reports it, a writer panics. */
export const isFileGone = (error: unknown): boolean =>
  /not found.*\.lance\/|^panic in async/i.test((error as Error).message);

/** True for a collision with another process's commits: trying again helps. A merge gives up by itself after 30 s of them. */
export const isCollision = (error: unknown): boolean =>
  /conflict|retryable|preempted|too many concurrent writers/i.test((error as Error).message);

/** Tries of work that collides with others. */
const TRIES = 8;

/** Runs `work`, and repeats it after a collision with another process's commits. Repeating it must be harmless. */
export async function despiteCollisions<T>(work: () => Promise<T>, tries = TRIES): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === tries || !isCollision(error)) throw error;
    }
  }
}
