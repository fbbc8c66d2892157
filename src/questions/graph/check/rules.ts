/** Rules as tests of dependencies. */
import { SocraticodeError } from '../../../base/errors.js';
import type { GraphRule } from '../../../config/rules.js';
import { pathMatcher } from '../../../search/filter.js';
import type { UnmatchedGlob, Violation } from './output.js';

export interface Rule extends Pick<Violation, 'rule' | 'form' | 'says' | 'why'> {
  /** It allows what rules before it forbid. */
  isException: boolean;
  /** Does it count imports of nothing but types, and others? */
  counts: { types: boolean; values: boolean };
  accepts: PathTest;
  /** Is it about that use of one path by another: forbidden, or allowed by an exception? */
  concerns: (from: string, to: string) => boolean;
}

type PathTest = (path: string) => boolean;

const FORMS = ['to', 'only', 'layers', 'independent', 'cycles'] as const;

/** Throws BAD_CONFIG for a rule that says nothing, or two things. */
export function readRules(rules: readonly GraphRule[]): Rule[] {
  return rules.map((rule, i) => {
    const forms = FORMS.filter((form) => rule[form] !== undefined);
    const [form] = forms;
    const fault = faultOf(rule, forms);
    if (form === undefined || fault !== null) {
      throw new SocraticodeError('BAD_CONFIG', `graph.rules[${i}]: ${fault}`, {
        hint: 'A rule has one of to, only, layers, independent and cycles.',
      });
    }
    // Circles of types are gone when the program runs.
    const { imports = form === 'cycles' ? 'values' : 'all' } = rule;
    return {
      ...{ rule: i + 1, form, says: saysOf(rule), ...(rule.why !== undefined && { why: rule.why }) },
      isException: rule.allow === true,
      counts: { types: imports !== 'values', values: imports !== 'types' },
      accepts: matcher(rule.from),
      concerns: concernsOf(rule),
    };
  });
}

function faultOf(rule: GraphRule, forms: readonly string[]): string | null {
  if (forms.length === 0) return 'it forbids nothing';
  if (forms.length > 1) return `${forms.join(' and ')} are in one rule`;
  if (rule.cycles === true) return 'cycles can only be false';
  if (rule.allow === true && rule.to === undefined) return 'allow needs to';
  if (rule.from === undefined && (rule.to ?? rule.only) !== undefined) return 'it needs from';
  if (rule.from !== undefined && (rule.layers ?? rule.independent) !== undefined) return 'from does not go with it';
  return null;
}

function concernsOf({ from, to, only, layers, independent }: GraphRule): Rule['concerns'] {
  const isFrom = matcher(from);
  if (to !== undefined) {
    const isTo = matcher(to);
    return (path, other) => isFrom(path) && isTo(other);
  }
  if (only !== undefined) {
    const isAllowed = only.length === 0 ? () => false : matcher(only);
    return (path, other) => isFrom(path) && !isFrom(other) && !isAllowed(other);
  }
  const unitOf = layers !== undefined ? layerOf(layers) : folderOf(independent ?? []);
  const isWrong = layers !== undefined ? (a: number, b: number) => b > a : (a: number, b: number) => a !== b;
  return (path, other) => {
    const [a, b] = [unitOf(path), unitOf(other)];
    return a >= 0 && b >= 0 && isWrong(a, b);
  };
}

/** Number of the lowest layer that a path is in, -1 for none. */
function layerOf(layers: readonly string[]): (path: string) => number {
  const tests = layers.map((glob) => matcher([glob]));
  return (path) => tests.findIndex((test) => test(path));
}

/** Number of the highest folder with a path in it that matches a glob, -1 for none. */
function folderOf(globs: readonly string[]): (path: string) => number {
  const isUnit = matcher(globs);
  const numbers = new Map<string, number>();
  const known = new Map<string, number>();
  const find = (path: string): number => {
    for (let end = path.indexOf('/'); ; end = path.indexOf('/', end + 1)) {
      const part = end < 0 ? path : path.slice(0, end);
      if (isUnit(part)) {
        const number = numbers.get(part) ?? numbers.size;
        numbers.set(part, number);
        return number;
      }
      if (end < 0) return -1;
    }
  };
  return (path) => {
    const unit = known.get(path) ?? find(path);
    known.set(path, unit);
    return unit;
  };
}

/** Without globs every path matches. Each path is matched once. */
function matcher(globs: readonly string[] | undefined): PathTest {
  if (globs === undefined) return () => true;
  const test = pathMatcher(globs);
  const known = new Map<string, boolean>();
  return (path) => {
    const answer = known.get(path) ?? test(path);
    known.set(path, answer);
    return answer;
  };
}

const list = (globs: readonly string[] = []): string => globs.join(', ');

function saysOf({ from, to, only, layers, independent, imports }: GraphRule): string {
  const what = imports === undefined || imports === 'all' ? '' : ` (${imports} alone)`;
  if (to !== undefined) return `${list(from)} must not use ${list(to)}${what}`;
  if (only?.length === 0) return `${list(from)} may use nothing else${what}`;
  if (only !== undefined) return `${list(from)} may use only ${list(only)}${what}`;
  if (layers !== undefined) return `layers from bottom to top: ${list(layers)}${what}`;
  if (independent !== undefined) return `independent of each other: ${list(independent)}${what}`;
  return `no import cycles in ${from === undefined ? 'any file' : list(from)}`;
}

/** Globs that match none of the paths. Those that begin with "!" leave out, and may match nothing. */
export function unmatchedGlobs(rules: readonly GraphRule[], paths: readonly string[]): UnmatchedGlob[] {
  const isUnused = new Map<string, boolean>();
  const matchesNone = (glob: string): boolean => {
    const known = isUnused.get(glob) ?? !paths.some(pathMatcher([glob]));
    isUnused.set(glob, known);
    return known;
  };
  return rules.flatMap((rule, i) =>
    (['from', 'to', 'only', 'layers', 'independent'] as const).flatMap((field) =>
      (rule[field] ?? []).flatMap((glob) =>
        !glob.startsWith('!') && matchesNone(glob) ? [{ rule: i + 1, field, glob }] : [],
      ),
    ),
  );
}
