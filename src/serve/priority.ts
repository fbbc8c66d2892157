/** Work in the background comes after what somebody waits for. */
import { setPriority } from 'node:os';

/** Nice, in the sense of nice(1): enough that a server answers while two parsers run, not so much that a build starves them. */
const PRIORITY = 5;

/** Lowers the priority of this process and of those that it starts. */
export function yieldToOthers(): void {
  try {
    setPriority(PRIORITY);
  } catch {
    // Not everywhere allowed.
  }
}
