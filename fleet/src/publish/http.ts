/** Publishes through a fleet's server. Requests may be repeated, since contents that are stored already do not change. */
import { setTimeout as sleep } from 'node:timers/promises';
import { ERROR_CODES, type ErrorCode, SocraticodeError, visibleLine } from '../internal.js';
import { checkedUrl, post } from '../post.js';
import * as protocol from '../protocol.js';
import type {
  KeepRequest,
  PlanAnswer,
  PlanRequest,
  Publication,
  PublishedView,
  PublishTarget,
  UnitsAnswer,
  UnitsRequest,
  ViewAnswer,
  ViewHead,
} from '../target.js';

/** Tries of a request, and the pause before the second; each further pause is twice as long. */
const TRIES = 5;
const PAUSE_MS = 500;
const MAX_PAUSE_MS = 30_000;
const TIMEOUT_MS = 120_000;
const OK = 200;
const CONFLICT = 409;
const MAX_SAID = 300;

interface HttpOptions {
  /** From SOCRATICODE_FLEET_TOKEN. */
  token: string | undefined;
  signal?: AbortSignal;
}

type Request = 'plan' | 'units' | 'view' | 'refs' | 'keep';

interface Answer {
  status: number;
  body: Uint8Array;
}

/** Every method throws FLEET_DENIED, FLEET_UNREACHABLE, CANCELLED, and the errors of the server. */
export class HttpTarget implements PublishTarget {
  private readonly base: URL;

  /** Throws BAD_ARGUMENT for an invalid address, or one that would carry the token in the clear. */
  constructor(
    address: string,
    private readonly options: HttpOptions,
  ) {
    this.base = checkedUrl({ url: address, token: options.token ?? null });
  }

  async plan(request: PlanRequest): Promise<PlanAnswer> {
    return this.ask('plan', protocol.encodePlan(request), protocol.decodePlanAnswer);
  }

  async units(request: UnitsRequest): Promise<UnitsAnswer> {
    return this.ask('units', protocol.encodeUnits(request), protocol.decodeUnitsAnswer);
  }

  async view(request: PublishedView): Promise<ViewAnswer> {
    return this.ask('view', protocol.encodeView(request), protocol.decodeViewAnswer);
  }

  async keep(request: KeepRequest): Promise<boolean> {
    return this.ask('keep', protocol.encodeKeep(request), protocol.decodeKeepAnswer);
  }

  async refs(request: Omit<Publication, 'ref'>): Promise<ViewHead[]> {
    return this.ask('refs', protocol.encodeRefs(request), protocol.decodeRefsAnswer);
  }

  async close(): Promise<void> {}

  /** Decodes the answer. A proxy, or another server at this address, may answer 200 with a page of its own. */
  private async ask<T>(path: Request, body: Uint8Array, decode: (body: Uint8Array) => T): Promise<T> {
    const answer = await this.sendAll(path, body);
    try {
      return decode(answer.body);
    } catch (cause) {
      throw this.unreachable(new Error('what answers there is no fleet', { cause }));
    }
  }

  private async sendAll(path: Request, body: Uint8Array): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      const { answer, pauseMs, fault } = await this.send(path, body, attempt);
      if (answer !== null && (answer.status === OK || (answer.status === CONFLICT && path === 'view'))) return answer;
      if (answer !== null && !isTemporary(answer.status)) throw refusal(answer);
      if (attempt === TRIES) throw answer === null ? this.unreachable(fault) : refusal(answer);
      await sleep(pauseMs, undefined, { signal: this.options.signal }).catch(cancelled);
    }
  }

  private async send(path: string, body: Uint8Array, attempt: number) {
    const { token, signal } = this.options;
    const limit = AbortSignal.timeout(TIMEOUT_MS);
    const backOff = Math.min(MAX_PAUSE_MS, PAUSE_MS * 2 ** (attempt - 1));
    try {
      const answer = await post(new URL(`fleet/${path}`, this.base), {
        ...{ body, type: protocol.CBOR_TYPE, token: token ?? null, most: protocol.MAX_BODY.plan },
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      });
      const wantedMs = Number(answer.headers['retry-after']) * 1_000;
      return { answer, pauseMs: Math.min(MAX_PAUSE_MS, wantedMs > 0 ? wantedMs : backOff), fault: null };
    } catch (error) {
      if (signal?.aborted) cancelled(error);
      return { answer: null, pauseMs: backOff, fault: error as Error };
    }
  }

  private unreachable(fault: Error | null): SocraticodeError {
    const why = visibleLine(fault?.message || 'no answer').slice(0, MAX_SAID);
    const message = `the fleet at ${this.base.origin} does not answer: ${why}`;
    return new SocraticodeError('FLEET_UNREACHABLE', message, { cause: fault });
  }
}

/** Statuses after which the same request may succeed. */
const isTemporary = (status: number) => status === 429 || status >= 500;

function cancelled(cause: unknown): never {
  throw new SocraticodeError('CANCELLED', 'cancelled', { cause });
}

function refusal({ status, body }: Answer): SocraticodeError {
  const said = protocol.decodeFailure(body);
  if (said !== null && Object.hasOwn(ERROR_CODES, said.code)) {
    const hint = visibleLine(said.hint).slice(0, MAX_SAID);
    return new SocraticodeError(said.code as ErrorCode, visibleLine(said.message).slice(0, MAX_SAID), { hint });
  }
  if (status === 401 || status === 403)
    return new SocraticodeError('FLEET_DENIED', `the fleet refused: status ${status}`);
  return new SocraticodeError('FLEET_UNREACHABLE', `the fleet answered with status ${status}`);
}
