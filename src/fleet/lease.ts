/** The lease of the maintainer: one process looks after a store, for ten minutes unless it goes on. */
import type { Lease } from './contract.js';

/** Seconds that a maintainer keeps the lease unless it renews it. */
export const LEASE_SECONDS = 600;

/**
 * May a process take or renew the lease? It may if nobody else has it now. A lease that ends much later than it can by this clock was taken by a
 * clock that is ahead: if its holder died, nobody would look after the store for that long. Two maintainers at a time do no harm.
 */
export function mayTakeLease(lease: Lease | null, holder: string, now: number): boolean {
  return lease === null || lease.holder === holder || lease.until <= now || lease.until > now + 2 * LEASE_SECONDS;
}
