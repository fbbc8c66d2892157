/**
 * Codec of the exports of a published ref to other repositories, and of its uses of them: packages and exports, uses, routes
 * and requests. It comes from publishers, so every entry is checked before it is stored and when it is read.
 */
import { type LinkedFacts, sketchOf } from './internal.js';
import { damaged, deflated, inflated, limitsOf, sealed, unsealed } from './sealed.js';

/** Bytes as uploaded, and inflated. A repository of 10,000 files has some 2 MB and 40 MB. */
export const MAX_LINKS_BYTES = 32 << 20;
const MAX_INFLATED = 256 << 20;
/** Entries of one list, and characters of one text. */
const MAX_ENTRIES = 1_000_000;
const MAX_TEXT = 4_096;
const FORMAT = 1;

type Kind = 'text' | 'count' | 'text or null' | 'handler' | 'optional text' | 'optional true';

/** Fields of the entries of each list. */
const SHAPES: { [List in keyof LinkedFacts]: Record<keyof LinkedFacts[List][number], Kind> } = {
  packages: { ecosystem: 'text', name: 'text', manifest: 'text' },
  exports: {
    ...{ package: 'count', module: 'text', name: 'text', path: 'text', symbol: 'text or null', line: 'count' },
    ...{ reexported: 'optional true', result: 'optional text' },
  },
  dependencies: { ecosystem: 'text', name: 'text', version: 'text' },
  uses: {
    ...{ ecosystem: 'text', specifier: 'text', name: 'text', path: 'text', symbol: 'text or null', line: 'count' },
    ...{ uses: 'count', told: 'optional true' },
  },
  routes: { method: 'text', route: 'text', path: 'text', line: 'count', handler: 'handler' },
  calls: {
    ...{ method: 'text', route: 'text', below: 'optional true', based: 'optional true' },
    ...{ path: 'text', symbol: 'text or null', line: 'count' },
  },
};

const isText = (value: unknown): boolean => typeof value === 'string' && value.length <= MAX_TEXT;
const FITS: Record<Kind, (value: unknown) => boolean> = {
  text: isText,
  count: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
  'text or null': (value) => value === null || isText(value),
  handler: (value) => value === null || fits(value, HANDLER),
  'optional text': (value) => value === undefined || isText(value),
  'optional true': (value) => value === undefined || value === true,
};

/** Fields with their checks, made once: a publication of 127 files has 4,000 entries. */
type Shape = readonly (readonly [name: string, fits: (value: unknown) => boolean])[];

const shapeOf = (kinds: Readonly<Record<string, Kind>>): Shape =>
  Object.entries(kinds).map(([name, kind]) => [name, FITS[kind]] as const);

function fits(value: unknown, shape: Shape): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entry = value as Record<string, unknown>;
  let known = 0;
  for (const [name, isRight] of shape) {
    const isThere = Object.hasOwn(entry, name);
    if (isThere) known++;
    if (!isRight(isThere ? entry[name] : undefined)) return false;
  }
  // All known fields were counted, so a difference is an unknown one.
  return Object.keys(entry).length === known;
}

const HANDLER = shapeOf({ path: 'text', symbol: 'text or null' });
const LISTS = Object.entries(SHAPES).map(([name, kinds]) => [name, shapeOf(kinds)] as const);

/** True for facts whose entries have exactly the expected fields. */
export function isLinkedFacts(value: unknown): value is LinkedFacts {
  if (typeof value !== 'object' || value === null) return false;
  const facts = value as Record<string, unknown>;
  const areLists = LISTS.every(([name, shape]) => {
    const list = Object.hasOwn(facts, name) ? facts[name] : undefined;
    return Array.isArray(list) && list.length <= MAX_ENTRIES && list.every((entry) => fits(entry, shape));
  });
  if (!areLists || Object.keys(facts).length !== LISTS.length) return false;
  const { packages, exports } = value as LinkedFacts;
  return exports.every((name) => name.package < packages.length);
}

/** Puts the facts after their sketch, which can be read without them. */
export function encodeLinks(facts: LinkedFacts): Uint8Array {
  return sealed([FORMAT, bytesOf(sketchOf(facts)), deflated(Buffer.from(JSON.stringify(facts)))]);
}

/** The hashes byte by byte, the same on every machine. */
function bytesOf(sketch: Uint32Array): Uint8Array {
  const bytes = Buffer.alloc(sketch.length * 4);
  for (const [i, hash] of sketch.entries()) bytes.writeUInt32LE(hash, i * 4);
  return new Uint8Array(bytes);
}

const WHAT = 'the list of uses of a view';

function open(bytes: Uint8Array): { sketch: Buffer; packed: Uint8Array } {
  const value = unsealed(bytes, WHAT, limitsOf(MAX_LINKS_BYTES));
  const [format, sketch, packed] = Array.isArray(value) && value.length === 3 ? value : [];
  if (format !== FORMAT || !(sketch instanceof Uint8Array) || !(packed instanceof Uint8Array)) damaged(WHAT);
  return { sketch: Buffer.from(sketch), packed };
}

/** `sketchOf` of the facts; null for a ref that was published without them. Throws FLEET_STORE for invalid bytes. */
export function decodeSketch(bytes: Uint8Array): Uint32Array | null {
  if (bytes.length === 0) return null;
  const { sketch } = open(bytes);
  return Uint32Array.from({ length: sketch.length >>> 2 }, (_, i) => sketch.readUInt32LE(i * 4));
}

/** Null for a ref that was published without them. Throws FLEET_STORE for invalid bytes, and for a sketch of other facts. */
export function decodeLinks(bytes: Uint8Array): LinkedFacts | null {
  if (bytes.length === 0) return null;
  const { sketch, packed } = open(bytes);
  let facts: unknown;
  try {
    facts = JSON.parse(inflated(packed, MAX_INFLATED, WHAT).toString('utf8'));
  } catch (cause) {
    damaged(WHAT, cause);
  }
  return isLinkedFacts(facts) && sketch.equals(bytesOf(sketchOf(facts))) ? facts : damaged(WHAT);
}
