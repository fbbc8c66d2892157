/** Lowers the priority of background work, so that questions are answered first. */
import { setPriority } from 'node:os';

/** Value as in nice(1): high enough that a server answers while two parsers run, low enough that a build does not starve them. */
const PRIORITY = 5;

/** Lowers the priority of this process and of those that it starts. */
export function yieldToOthers(): void {
  try {
    setPriority(PRIORITY);
  } catch {
    // Some systems forbid it.
  }
}
