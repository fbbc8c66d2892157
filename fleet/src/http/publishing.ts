/** Answers publishers: `POST /fleet/plan`, `/fleet/units`, `/fleet/view`, `/fleet/refs`, `/fleet/keep`. */
import type { Client } from '../access/access.js';
import { SocraticodeError } from '../internal.js';
import {
  decodeKeep,
  decodePlan,
  decodeRefs,
  decodeUnits,
  decodeView,
  encodeKeepAnswer,
  encodePlanAnswer,
  encodeRefsAnswer,
  encodeUnitsAnswer,
  encodeViewAnswer,
  MAX_BODY,
} from '../protocol.js';
import type { Publication, PublishTarget } from '../target.js';

export const PUBLISHING = ['plan', 'units', 'view', 'refs', 'keep'] as const;
export type Publishing = (typeof PUBLISHING)[number];
export const bodyLimit = (name: Publishing): number => MAX_BODY[name];

const CONFLICT = 409;

export interface PublishingAnswer {
  status: number;
  body: Uint8Array;
  repo: string;
}

/** Throws FLEET_DENIED, and errors of decoding and of `FleetIntake`. */
export async function answerPublisher(
  name: Publishing,
  body: Uint8Array,
  { intake, client }: { intake: PublishTarget; client: Client },
): Promise<PublishingAnswer> {
  const permitted = <T extends Omit<Publication, 'ref'>>(request: T): T => checked(request, client);
  if (name === 'plan') {
    const request = permitted(decodePlan(body));
    return { status: 200, body: encodePlanAnswer(await intake.plan(request)), repo: request.repo };
  }
  if (name === 'units') {
    const request = permitted(decodeUnits(body));
    return { status: 200, body: encodeUnitsAnswer(await intake.units(request)), repo: request.repo };
  }
  if (name === 'refs') {
    const request = permitted(decodeRefs(body));
    return { status: 200, body: encodeRefsAnswer(await intake.refs(request)), repo: request.repo };
  }
  if (name === 'keep') {
    const request = permitted(decodeKeep(body));
    return { status: 200, body: encodeKeepAnswer(await intake.keep(request)), repo: request.repo };
  }
  const request = permitted(decodeView(body));
  const answer = await intake.view(request);
  const status = answer.outcome === 'published' ? 200 : CONFLICT;
  return { status, body: encodeViewAnswer(answer), repo: request.repo };
}

/**
 * A publisher needs permission for its repository, and to read or publish the one that its family is named after: whoever may
 * write into a family can name its units, and read them through a view of his own.
 */
function checked<T extends Omit<Publication, 'ref'>>(request: T, client: Client): T {
  const { repo, family } = request;
  if (!client.mayPublish(repo)) throw denied('this repository');
  if (family !== repo && !client.mayPublish(family) && !client.mayRead(family)) throw denied('into this family');
  return request;
}

const denied = (what: string) => new SocraticodeError('FLEET_DENIED', `the token may not publish ${what}`);
