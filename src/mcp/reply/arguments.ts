/** Arguments of a call, checked; what is wrong with them is said so that a model can put it right. */
import type { z } from 'zod';
import { SocraticodeError } from '../../base/errors.js';
import { visibleLine } from '../../base/hygiene.js';
import { nearestName, readValues } from '../../params/read.js';
import type { AnyTool } from '../tool.js';

type Issue = z.core.$ZodIssue;

/** Mistakes named in one reply. */
const MAX_ISSUES = 4;
/** Of a value or a name that is quoted back, in characters. */
const MAX_QUOTED = 60;
/** Values listed of those that a parameter may have. */
const MAX_VALUES = 20;

/** Throws BAD_ARGUMENT. A null stands for a parameter left out: some clients fill in all of them. */
export function readArguments(tool: AnyTool, given: unknown): Record<string, unknown> {
  if (tool.zodInput === undefined)
    return readValues(given, {
      fields: tool.fields,
      hint: `Parameters of ${tool.name}: ${parameterNames(tool).join(', ')}.`,
    });
  const args = Object.fromEntries(Object.entries((given ?? {}) as object).filter(([, value]) => value !== null));
  const parsed = tool.zodInput.safeParse(args, { reportInput: true });
  if (parsed.success) return parsed.data as Record<string, unknown>;
  const known = parameterNames(tool);
  const { issues } = parsed.error as { issues: Issue[] };
  const messages = issues.slice(0, MAX_ISSUES).flatMap((issue) => explain(issue, known));
  const left = issues.reduce((sum, issue) => sum + mistakes(issue), 0) - Math.min(messages.length, MAX_ISSUES);
  const more = left > 0 ? [`and ${left} more`] : [];
  throw new SocraticodeError('BAD_ARGUMENT', [...messages.slice(0, MAX_ISSUES), ...more].join('; '), {
    hint: `Parameters of ${tool.name}: ${known.join(', ')}.`,
  });
}

/** In the order of the schema. */
export function parameterNames(tool: AnyTool): string[] {
  return tool.fields.map(({ name }) => name);
}

/** How many messages `explain` would have of it. */
const mistakes = (issue: Issue) =>
  issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys.length : 1;

function explain(issue: Issue, known: readonly string[]): string[] {
  if (issue.code !== 'unrecognized_keys') return [`${parameter(issue.path)} ${problem(issue)}`];
  if (issue.path.length > 0) return [`${parameter(issue.path)} has unknown fields: ${quoteAll(issue.keys)}`];
  // A name like each is looked for: of as many as are shown.
  return issue.keys.slice(0, MAX_ISSUES).map((name) => {
    const near = nearestName(name, known);
    return `unknown parameter ${quote(name)}${near === null ? '' : `; did you mean ${near}?`}`;
  });
}

function problem(issue: Issue): string {
  const got = quote(issue.input);
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? `is required: ${article(issue.expected)}`
        : `must be ${article(issue.expected)}, not ${got}`;
    case 'too_big':
      return `${size(issue.origin, 'most', issue.maximum)}${measured(issue.input)}`;
    case 'too_small':
      return `${size(issue.origin, 'least', issue.minimum)}${measured(issue.input)}`;
    case 'invalid_value':
      return `must be one of ${quoteAll(issue.values.slice(0, MAX_VALUES))}, not ${got}`;
    default:
      return `is not valid: ${visibleLine(issue.message)}`;
  }
}

const UNITS: Readonly<Record<string, string>> = { string: 'characters', array: 'entries' };

function size(origin: string, bound: 'most' | 'least', limit: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined ? `must be at ${bound} ${limit}` : `must have at ${bound} ${limit} ${unit}`;
}

function measured(value: unknown): string {
  if (typeof value === 'string' || Array.isArray(value)) return `, has ${value.length}`;
  return `, is ${quote(value)}`;
}

const article = (type: string) => (type === 'int' ? 'a whole number' : `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`);

/** `files[3].path` */
function parameter(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${quotable(String(step))}`));
  return steps.join('').replace(/^\./, '');
}

const quotable = (text: string) => visibleLine(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

/** A value as JSON has it, cut; of lists and objects only what they are, since they may be of any depth. */
function quote(value: unknown): string {
  if (typeof value === 'string') return `"${quotable(value)}"`;
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : String(value);
}

const quoteAll = (values: readonly unknown[]) => values.slice(0, MAX_VALUES).map(quote).join(', ');

export { nearestName };
