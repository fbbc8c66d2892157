/** Checks values that people, programs and models give for declared parameters, and says what is wrong in the words of the surface. */
import { SocraticodeError } from '../base/errors.js';
import { groupDigits, signs, visibleLine } from '../base/printable.js';
import { editDistance } from '../base/spelling.js';
import type { Param, Params, ParamType } from './param.js';

/** A parameter as one surface offers it. */
export interface Field {
  /** Name in the declaration. */
  key: string;
  /** Name under which the surface gives it a value. */
  name: string;
  /** Second name that is accepted, although no list shows it: the one of the command line, which models have seen there. */
  alias?: string;
  /** Name in messages: `--depth`, `depth`. */
  label: string;
  param: Param;
  /** The surface takes a single text where the parameter is a list. */
  one?: boolean;
  /** The default is part of the listed schema. */
  listsDefault?: boolean;
}

export interface Reading {
  fields: readonly Field[];
  /** Next step of a refusal. */
  hint: string;
}

/** Mistakes named in one refusal. */
const MAX_MISTAKES = 4;
/** Longest value or name that is quoted back, in characters. */
const MAX_QUOTED = 60;
/** Most choices that are listed. */
const MAX_CHOICES = 20;

/** Distinguishes a refused value from any value. */
class Refused {
  constructor(readonly reason: string) {}
}

/**
 * Reads the values by their declared names and fills in defaults. Null counts as missing: some clients fill in every parameter.
 * Throws BAD_ARGUMENT with all mistakes, at most four of them spelled out.
 */
export function readValues(given: unknown, { fields, hint }: Reading): Record<string, unknown> {
  const entries = Object.entries((given ?? {}) as object).filter(([, value]) => value !== null && value !== undefined);
  const values = new Map(entries);
  const known = fields.map(({ name }) => name);
  const taken = new Set(fields.flatMap(({ name, alias = name }) => [name, alias]));
  const unknown = entries.flatMap(([name]) => (taken.has(name) ? [] : [name]));
  // Looks for a near name only for the mistakes that are shown: a hostile client may send 200,000.
  const mistakes = unknown.slice(0, MAX_MISTAKES).map((name) => unknownName(name, known));
  const read: Record<string, unknown> = {};
  for (const field of fields) {
    const value = readOne(field, values.get(field.name) ?? values.get(field.alias ?? ''));
    if (value instanceof Refused) mistakes.push(value.reason);
    else if (value !== undefined) read[field.key] = value;
  }
  if (mistakes.length === 0) return read;
  const shown = mistakes.slice(0, MAX_MISTAKES);
  const count = mistakes.length + Math.max(0, unknown.length - MAX_MISTAKES);
  const more = count > shown.length ? [`and ${count - shown.length} more`] : [];
  throw new SocraticodeError('BAD_ARGUMENT', [...shown, ...more].join('; '), { hint });
}

function readOne({ label, param, one = false }: Field, given: unknown): unknown {
  if (given === undefined) {
    if (param.required) return new Refused(`${label} is required: ${expectation(param, one)}`);
    return param.default;
  }
  const value = convert(param, given, one);
  if (value !== undefined) return value;
  const wrong = wrongEntry(param, given);
  // How long a list may be is no news about an entry that is none of the choices.
  const isEntry = one || (param.choices !== undefined && !Array.isArray(wrong));
  const refused = `${label} takes ${expectation(param, isEntry)}, not ${quote(wrong)}${length(given)}`;
  return new Refused(`${refused}${meant(param, wrong)}`);
}

/** First entry of a list that the parameter does not take. */
function wrongEntry(param: Param, given: unknown): unknown {
  if (!Array.isArray(given)) return given;
  const isWrong = (entry: unknown) => !isText(param, entry) || !(param.choices?.includes(entry) ?? true);
  return given.find(isWrong) ?? given;
}

/** The value that a refused one resembles, as a question. */
function meant({ choices, words = choices }: Param, refused: unknown): string {
  if (words === undefined || typeof refused !== 'string') return '';
  const near = nearestName(refused, words);
  return near === null ? '' : `; did you mean ${refused.startsWith('!') ? '!' : ''}${near}?`;
}

/**
 * Converts a value; undefined if the parameter does not take it. Models mistake types: they send numbers and flags as text, a
 * text as a list of one, and a list as one text or as JSON in a text.
 */
const convert = (param: Param, given: unknown, one: boolean): unknown => CONVERSIONS[param.type](param, given, one);

const FLAGS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...([true, false] as const).flatMap((flag) => [[flag, flag] as const, [String(flag), flag] as const]),
]);

const CONVERSIONS: Readonly<Record<ParamType, (param: Param, given: unknown, one: boolean) => unknown>> = {
  integer: toNumber,
  number: toNumber,
  flag: (_, given) => FLAGS.get(given),
  choice: (param, given) => (param.choices?.includes(given as string) ? given : undefined),
  text: (param, given) => {
    const text = Array.isArray(given) && given.length === 1 ? given[0] : given;
    return isText(param, text) ? text : undefined;
  },
  list: toEntries,
  pairs: (param, given) => (isPairs(param, given) ? given : undefined),
  records: toRecords,
};

function toEntries(param: Param, given: unknown, one: boolean): unknown {
  const entries = entriesOf(given);
  if (one && entries.length !== 1) return undefined;
  const fits = entries.length <= param.maxEntries && entries.every((entry) => isText(param, entry));
  return fits && entries.every((entry) => param.choices?.includes(entry as string) ?? true) ? entries : undefined;
}

/** Longest text that is read as JSON: a list of names is shorter. */
const MAX_JSON = 4_096;

function entriesOf(given: unknown): unknown[] {
  if (Array.isArray(given)) return given;
  if (typeof given !== 'string' || given.length > MAX_JSON || !/^\s*\["[\s\S]*"\s*\]\s*$/.test(given)) return [given];
  try {
    const entries: unknown = JSON.parse(given);
    return Array.isArray(entries) && entries.every((entry) => typeof entry === 'string') ? entries : [given];
  } catch {
    return [given];
  }
}

/** Tells whether the parameter takes a value without conversion: a number written as text is refused. */
export function accepts(param: Param, value: unknown): boolean {
  return accepted(param, value) !== undefined;
}

/** The value in the type of the parameter; undefined if the parameter does not take it. */
export function accepted(param: Param, value: unknown): unknown {
  return isTyped(param.type, value) ? convert(param, value, false) : undefined;
}

function isTyped(type: ParamType, value: unknown): boolean {
  if (type === 'list' || type === 'records') return Array.isArray(value);
  if (type === 'pairs') return typeof value === 'object';
  if (type === 'flag') return typeof value === 'boolean';
  return typeof value === (type === 'integer' || type === 'number' ? 'number' : 'string');
}

function isPairs(param: Param, value: unknown): value is Record<string, string> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, item]) => (param.keyPattern?.test(name) ?? true) && isText(param, item));
}

/** Objects with known fields alone, defaults filled in. */
function toRecords({ fields = {}, maxEntries }: Param, given: unknown): object[] | undefined {
  if (!Array.isArray(given) || given.length > maxEntries) return undefined;
  const read = given.map((entry: unknown) => toRecord(fields, entry));
  return read.includes(undefined) ? undefined : (read as object[]);
}

function toRecord(fields: Params, entry: unknown): object | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return undefined;
  const read: Record<string, unknown> = {};
  for (const [key, param] of Object.entries(fields)) {
    const given = (entry as Record<string, unknown>)[key];
    const value = given === undefined ? param.default : fieldValue(param, given);
    if (value === undefined && (given !== undefined || param.required)) return undefined;
    if (value !== undefined) read[key] = value;
  }
  return Object.keys(entry).every((key) => Object.hasOwn(fields, key)) ? read : undefined;
}

/** The value of a field; one entry may stand for a list of one. */
const fieldValue = (param: Param, given: unknown): unknown =>
  param.type === 'list' || isTyped(param.type, given) ? convert(param, given, false) : undefined;

/** The refused part of a list of objects, as `[2].from`, with its value and the values that are allowed; null if none is refused. */
export function refusedPart(param: Param, given: unknown): { at: string; value: unknown; allowed: string } | null {
  const { fields = {}, maxEntries } = param;
  if (param.type !== 'records' || !Array.isArray(given) || given.length > maxEntries) return null;
  for (const [i, entry] of given.entries()) {
    if (toRecord(fields, entry) !== undefined) continue;
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
      return { at: `[${i}]`, value: entry, allowed: 'an object' };
    for (const [key, value] of Object.entries(entry)) {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      const allowed = field === undefined ? unknownField(key, Object.keys(fields)) : expectation(field);
      if (field === undefined || fieldValue(field, value) === undefined) return { at: `[${i}].${key}`, value, allowed };
    }
  }
  return null;
}

function unknownField(key: string, known: readonly string[]): string {
  const near = nearestName(key, known);
  return near === null ? `no such field; known: ${known.join(', ')}` : `no such field; did you mean ${near}?`;
}

function toNumber({ type, min = -Infinity, max = Infinity }: Param, given: unknown): number | undefined {
  const value = typeof given === 'number' ? given : isNumeral(given) ? Number(given) : Number.NaN;
  const fits = value >= min && value <= max && (type === 'number' || Number.isInteger(value));
  return fits ? value : undefined;
}

const isNumeral = (given: unknown): given is string =>
  typeof given === 'string' && given.length <= MAX_QUOTED && /^-?(?:\d+\.?\d*|\.\d+)$/.test(given);

function isText({ minLength, maxLength, pattern, fits }: Param, value: unknown): value is string {
  if (typeof value !== 'string' || value.length < minLength || value.length > maxLength) return false;
  return (pattern?.test(value) ?? true) && (fits?.(value) ?? true);
}

/** Values that a parameter takes, as a noun phrase. */
export function expectation(param: Param, one = false): string {
  const { type, choices, minLength, maxLength, maxEntries } = param;
  if (param.form !== undefined) return param.form;
  switch (type) {
    case 'integer':
      return `a whole number${range(param)}`;
    case 'number':
      return `a number${range(param)}`;
    case 'flag':
      return 'true or false';
    case 'choice':
      return `one of ${choiceList(choices ?? [])}`;
    case 'text':
      return `text of ${minLength > 0 ? `${minLength} to` : 'at most'} ${groupDigits(maxLength)} characters`;
    case 'list': {
      const entry = choices ? `one of ${choiceList(choices)}` : `text of at most ${groupDigits(maxLength)} characters`;
      return one ? entry : `${entry}, or a list of at most ${groupDigits(maxEntries)}`;
    }
    case 'pairs':
      return 'names, each with a text';
    case 'records':
      return `a list of objects with ${Object.keys(param.fields ?? {}).join(', ')}`;
  }
}

const choiceList = (choices: readonly string[]): string => choices.slice(0, MAX_CHOICES).join(', ');

function range({ min, max }: Param): string {
  if (max === undefined || max === Number.MAX_SAFE_INTEGER) return min === undefined ? '' : ` of at least ${min}`;
  return ` from ${groupDigits(min ?? 0)} to ${groupDigits(max)}`;
}

function unknownName(name: string, known: readonly string[]): string {
  const near = nearestName(name, known);
  return `unknown parameter ${quoteText(name)}${near === null ? '' : `; did you mean ${near}?`}`;
}

/** The known name nearest to `name`, or null: `max_tokens` and `querry` find theirs. */
export function nearestName(name: string, known: readonly string[]): string | null {
  const plain = (word: string) => word.toLowerCase().replace(/[^a-z0-9]/g, '');
  const wanted = plain(name.slice(0, MAX_QUOTED));
  let best: string | null = null;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** A value as JSON, cut. Of lists and objects only the kind is shown, since they may be of any depth. */
function quote(value: unknown): string {
  if (typeof value === 'string') return isNumeral(value) ? value : quoteText(value);
  if (Array.isArray(value)) return `a list of ${value.length}`;
  return typeof value === 'object' ? 'an object' : String(value);
}

const quoteText = (text: string): string =>
  `"${visibleLine(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}${signs.cut}` : text)}"`;

const length = (value: unknown): string =>
  typeof value === 'string' && value.length > MAX_QUOTED ? ` of ${groupDigits(value.length)} characters` : '';
