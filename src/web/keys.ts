/**
 * Keys of a page. The token is random for each server and travels in the part of the address behind `#`, which browsers never
 * send; the page keeps it for its own origin and sends it as a bearer token. A cookie would reach every other server of this
 * machine, since cookies know no ports, and other sites' pages could use it; a header of its own is beyond them. The address
 * that a browser is started with is visible to other users of the machine (`ps`), so it holds a ticket that is good once.
 */
import { randomBytes } from 'node:crypto';
import { isSameSecret } from '../serve/loopback/guard.js';

const BYTES = 32;
/** A browser that takes longer to start asks its user for the printed address. */
const TICKET_MS = 120_000;

export class Keys {
  readonly token = randomBytes(BYTES).toString('base64url');
  private ticket: { text: string; until: number } | null = null;

  /** `now` in milliseconds, rising. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A new ticket, which can be exchanged for the token once; the one before is void. */
  issueTicket(): string {
    const text = randomBytes(BYTES).toString('base64url');
    this.ticket = { text, until: this.now() + TICKET_MS };
    return text;
  }

  /** The token for a ticket; null for one that is wrong, used or old. A wrong one voids nothing: it may be an attacker's guess. */
  redeem(text: string): string | null {
    const { ticket } = this;
    if (ticket === null || !isSameSecret(text, ticket.text)) return null;
    this.ticket = null;
    return this.now() <= ticket.until ? this.token : null;
  }
}
