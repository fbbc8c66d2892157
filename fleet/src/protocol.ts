/**
 * Bodies of the fleet's HTTP interface, in canonical CBOR: `POST /fleet/plan`, `/fleet/units`, `/fleet/view`, `/fleet/keep`
 * and `/fleet/refs`, with `Authorization: Bearer TOKEN` and `Content-Type: application/cbor`.
 *
 * Answers: 200 with the answer; an error otherwise, `{code, message, hint}`: 400 BAD_ARGUMENT, FLEET_BAD_UNIT and
 * FLEET_PROFILE, 401 and 403 FLEET_DENIED, 413 for a body over `MAX_BODY`, 503 with `Retry-After` for FLEET_STORE. A view that
 * lost a race or lacks units answers 409 with a `ViewAnswer`.
 */
import { type CborValue, decodeCanonical, encodeCanonical, SocraticodeError } from './internal.js';
import { KEY_BYTES, keyBytes, keyOf } from './keys.js';
import { MAX_LINKS_BYTES } from './links.js';
import type {
  KeepRequest,
  PlanAnswer,
  PlanRequest,
  Publication,
  PublishedView,
  UnitsAnswer,
  UnitsRequest,
  ViewAnswer,
  ViewHead,
} from './target.js';
import { MAX_UNIT_BYTES, type UnitUpload } from './unit.js';
import { MAX_FILES, MAX_VIEW_BYTES } from './view.js';

/** Units and bytes of a batch of `/fleet/units`; one unit may be as large as a batch. */
export const MAX_BATCH_UNITS = 500;
export const MAX_BATCH_BYTES = 8 << 20;
/** Largest body of each request, in bytes. */
export const MAX_BODY = {
  plan: MAX_FILES * KEY_BYTES + 65_536,
  units: MAX_BATCH_BYTES + MAX_UNIT_BYTES,
  view: 2 * MAX_VIEW_BYTES + MAX_LINKS_BYTES + 65_536,
  refs: 65_536,
  keep: 65_536,
} as const;
export const CBOR_TYPE = 'application/cbor';

type Body = ReadonlyMap<unknown, unknown>;

/** Throws BAD_ARGUMENT for a body that is no CBOR of this interface. */
function open(bytes: Uint8Array, maxBytes: number): Body {
  const limits = { maxBytes, maxDepth: 5, maxItems: 100_000, maxEntries: 50_000, maxString: maxBytes };
  let value: unknown;
  try {
    value = decodeCanonical(bytes, limits);
  } catch (cause) {
    throw new SocraticodeError('BAD_ARGUMENT', `the body is refused: ${(cause as Error).message}`, { cause });
  }
  return value instanceof Map ? value : wrong('body');
}

function wrong(name: string): never {
  throw new SocraticodeError('BAD_ARGUMENT', `the ${name} of the request has another type`);
}

const text = (body: Body, name: string): string => {
  const value = body.get(name);
  return typeof value === 'string' ? value : wrong(name);
};
const number = (body: Body, name: string): number => {
  const value = body.get(name);
  return typeof value === 'number' && value >= 0 ? value : wrong(name);
};
const flag = (body: Body, name: string): boolean => {
  const value = body.get(name);
  return typeof value === 'boolean' ? value : wrong(name);
};
const bytes = (body: Body, name: string): Uint8Array => {
  const value = body.get(name);
  return value instanceof Uint8Array ? value : wrong(name);
};
const list = (body: Body, name: string): Body[] => {
  const value = body.get(name);
  return Array.isArray(value) && value.every((each) => each instanceof Map) ? value : wrong(name);
};

const packKeys = (keys: readonly string[]): Uint8Array => Buffer.concat(keys.map(keyBytes));

function readKeys(body: Body, name: string): string[] {
  const packed = bytes(body, name);
  if (packed.length % KEY_BYTES !== 0) wrong(name);
  return Array.from({ length: packed.length / KEY_BYTES }, (_, i) => keyOf(packed, i));
}

const aboutOf = ({ profile, repo, family, ref }: Publication) => ({ profile, repo, family, ref });

const readAbout = (body: Body): Publication => ({
  profile: text(body, 'profile'),
  repo: text(body, 'repo'),
  family: text(body, 'family'),
  ref: text(body, 'ref'),
});

export const encodePlan = (request: PlanRequest) =>
  encodeCanonical({ ...aboutOf(request), keys: packKeys(request.keys) });

export function decodePlan(body: Uint8Array): PlanRequest {
  const value = open(body, MAX_BODY.plan);
  return { ...readAbout(value), keys: readKeys(value, 'keys') };
}

export const encodePlanAnswer = ({ previous, missing }: PlanAnswer) =>
  encodeCanonical({ previous, missing: packKeys(missing) });

export function decodePlanAnswer(body: Uint8Array): PlanAnswer {
  const value = open(body, MAX_BODY.plan);
  return { previous: text(value, 'previous'), missing: readKeys(value, 'missing') };
}

export const encodeUnits = (request: UnitsRequest) =>
  encodeCanonical({ ...aboutOf(request), units: request.units.map((unit): CborValue => ({ ...unit })) });

export function decodeUnits(body: Uint8Array): UnitsRequest {
  const value = open(body, MAX_BODY.units);
  const units = list(value, 'units');
  if (units.length > MAX_BATCH_UNITS) wrong('number of units');
  return { ...readAbout(value), units: units.map(readUnit) };
}

function readUnit(unit: Body): UnitUpload {
  const oid = text(unit, 'oid');
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(oid)) wrong('oid');
  const [record, content, vectors] = [bytes(unit, 'record'), bytes(unit, 'text'), bytes(unit, 'vectors')];
  return { oid, language: text(unit, 'language'), path: text(unit, 'path'), record, text: content, vectors };
}

export const encodeUnitsAnswer = ({ stored }: UnitsAnswer) => encodeCanonical({ stored });

export const decodeUnitsAnswer = (body: Uint8Array): UnitsAnswer => ({
  stored: number(open(body, MAX_BODY.refs), 'stored'),
});

export function encodeView(view: PublishedView): Uint8Array {
  const { commit, previous, tree, covered, total, isDefault, facts, stats, links, keep = 0 } = view;
  return encodeCanonical({
    ...aboutOf(view),
    keep,
    commit,
    previous,
    tree,
    covered,
    total,
    isDefault,
    facts,
    stats,
    links,
  });
}

export function decodeView(body: Uint8Array): PublishedView {
  const value = open(body, MAX_BODY.view);
  return {
    ...readAbout(value),
    commit: text(value, 'commit'),
    previous: text(value, 'previous'),
    tree: text(value, 'tree'),
    covered: number(value, 'covered'),
    total: number(value, 'total'),
    isDefault: flag(value, 'isDefault'),
    facts: bytes(value, 'facts'),
    stats: bytes(value, 'stats'),
    links: bytes(value, 'links'),
    keep: keepCount(value),
  };
}

/** Most commits of one branch. */
export const MAX_KEPT = 1_000;

function keepCount(value: Body): number {
  const keep = number(value, 'keep');
  return keep <= MAX_KEPT && Number.isSafeInteger(keep) ? keep : wrong('keep');
}

export const encodeKeep = (request: KeepRequest) =>
  encodeCanonical({ ...aboutOf(request), commit: request.commit, keep: request.keep });

export function decodeKeep(body: Uint8Array): KeepRequest {
  const value = open(body, MAX_BODY.keep);
  return { ...readAbout(value), commit: text(value, 'commit'), keep: Math.max(1, keepCount(value)) };
}

export const encodeKeepAnswer = (isKept: boolean) => encodeCanonical({ kept: isKept });

export const decodeKeepAnswer = (body: Uint8Array): boolean => flag(open(body, MAX_BODY.refs), 'kept');

export function encodeViewAnswer(answer: ViewAnswer): Uint8Array {
  return encodeCanonical('missing' in answer ? { ...answer, missing: packKeys(answer.missing) } : { ...answer });
}

export function decodeViewAnswer(body: Uint8Array): ViewAnswer {
  const value = open(body, MAX_BODY.plan);
  const outcome = text(value, 'outcome');
  if (outcome === 'published') return { outcome };
  if (outcome === 'moved') return { outcome, commit: text(value, 'commit') };
  return outcome === 'incomplete' ? { outcome, missing: readKeys(value, 'missing') } : wrong('outcome');
}

export const encodeRefs = (request: Omit<Publication, 'ref'>) => encodeCanonical(aboutOf({ ...request, ref: 'HEAD' }));

export const decodeRefs = (body: Uint8Array): Publication => readAbout(open(body, MAX_BODY.refs));

export const encodeRefsAnswer = (views: readonly ViewHead[]) =>
  encodeCanonical({
    views: views.map(({ repo, ref, commit, publishedAt, covered, total, isDefault }) => ({
      ...{ repo, ref, commit, publishedAt, covered, total, isDefault },
    })),
  });

export const decodeRefsAnswer = (body: Uint8Array): ViewHead[] =>
  list(open(body, MAX_BODY.plan), 'views').map((view) => ({
    repo: text(view, 'repo'),
    ref: text(view, 'ref'),
    commit: text(view, 'commit'),
    publishedAt: number(view, 'publishedAt'),
    covered: number(view, 'covered'),
    total: number(view, 'total'),
    isDefault: flag(view, 'isDefault'),
  }));

/** Error as a body, and back. */
export const encodeFailure = ({ code, message, hint }: { code: string; message: string; hint: string }) =>
  encodeCanonical({ code, message, hint });

export function decodeFailure(body: Uint8Array): { code: string; message: string; hint: string } | null {
  try {
    const value = open(body, MAX_BODY.refs);
    return { code: text(value, 'code'), message: text(value, 'message'), hint: text(value, 'hint') };
  } catch {
    return null;
  }
}
