/** Result of a check; a check that throws becomes a result, too. */
import { groupDigits } from '../../base/digits.js';
import { unexpected } from '../../base/errors.js';
import type { HealthCheck } from './health/output.js';
import type { DoctorReport } from './output.js';

/** `hint` says what to do; null exactly where nothing need be done. */
export type Check = Omit<HealthCheck, 'name'>;
export type DoctorCheck = DoctorReport['checks'][number];
type Facts = DoctorCheck['facts'];

export const fine = (detail: string): Check => ({ ok: true, detail, hint: null });
export const wrong = (detail: string, hint: string): Check => ({ ok: false, detail, hint });

type Attempt<T> = { value: T } | { failed: Check };

/** Runs a check; its error becomes its result. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<Attempt<T>> {
  try {
    return { value: await work() };
  } catch (error) {
    const { message, hint } = unexpected(error);
    return { failed: wrong(message, hint) };
  }
}

/** Result of a check of `doctor`: with facts for programs, or under a name of its own. */
export type Finding = Check & { name?: string; facts?: Facts };

/** Runs one check of a group; each fails alone. */
export async function settle(
  group: DoctorCheck['group'],
  name: string,
  check: () => Finding | Finding[] | Promise<Finding | Finding[]>,
): Promise<DoctorCheck[]> {
  const found = await attempt(check);
  const findings: Finding[] = 'failed' in found ? [found.failed] : [found.value].flat();
  return findings.map(({ facts = {}, ...finding }) => ({ group, ...finding, name: finding.name ?? name, facts }));
}

export const count = (n: number, one: string, many = `${one}s`): string => `${groupDigits(n)} ${n === 1 ? one : many}`;

export function bytesOf(bytes: number): string {
  return bytes < 1e6 ? `${groupDigits(Math.ceil(bytes / 1e3))} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

/** How long ago; a clock that was set back makes nothing younger. */
export function ageOf(ms: number): string {
  const minutes = Math.round(Math.abs(ms) / 60_000);
  if (minutes < 1) return 'less than a minute';
  if (minutes < 120) return count(minutes, 'minute');
  return minutes < 48 * 60 ? count(Math.round(minutes / 60), 'hour') : count(Math.round(minutes / 1_440), 'day');
}
