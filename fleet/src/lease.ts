/** The maintainer's lease: one process maintains a store, for ten minutes unless it renews the lease. */
import { randomBytes } from 'node:crypto';
import type { Lease } from './contract.js';
import { type Holder, lifeOf, ownHolder } from './internal.js';

/** Seconds until a lease that is not renewed ends. */
export const LEASE_SECONDS = 600;

/** Parts of a holder's name, in order; an unknown part is `-`. */
const PARTS = ['host', 'pid', 'started', 'boot', 'space'] as const;
const TOKEN = randomBytes(4).toString('hex');

/** Name of this process as a holder: two processes of one machine are two holders. The random token distinguishes them if nothing else does. */
export function processHolder(): string {
  const own = ownHolder();
  const parts = PARTS.map((name) => String(own[name]).replaceAll(' ', '_') || '-');
  return [...parts, TOKEN].join(' ');
}

/** A holder for people: the machine, and the process if it is known. */
export function shownHolder(holder: string): string {
  const known = parse(holder);
  return known === null ? holder : `${known.host}, process ${known.pid}`;
}

function parse(text: string): Holder | null {
  const parts = text.split(' ').map((part) => (part === '-' ? '' : part));
  const pid = Number(parts[1]);
  if (parts.length !== PARTS.length + 1 || !Number.isSafeInteger(pid) || pid <= 0) return null;
  const [host, , started, boot, space] = parts;
  return { host, pid, started, boot, space, id: '' };
}

/** True if the holder ran on this machine and has ended. */
function hasEnded(holder: string): boolean {
  const known = parse(holder);
  return known !== null && lifeOf(known) === 'dead';
}

/**
 * True if a process may take or renew the lease: nobody else has it now, or its holder has ended. A lease that ends much later
 * than possible by this clock came from a clock that is ahead: if its holder died, the store would be without a maintainer for
 * that long. Two maintainers at a time do no harm.
 */
export function mayTakeLease(lease: Lease | null, holder: string, now: number): boolean {
  if (lease === null || lease.holder === holder) return true;
  return lease.until <= now || lease.until > now + 2 * LEASE_SECONDS || hasEnded(lease.holder);
}
