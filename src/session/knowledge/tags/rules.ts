/** The rules that give tags: built-in ones and those of the settings, as tests of files and names. */
import { createHash } from 'node:crypto';
import { SocraticodeError } from '../../../base/errors.js';
import { TAG_RULE_FIELDS, type TagRule } from '../../../config/rules.js';
import type { Config } from '../../../config/types.js';
import { nameMatcher } from '../../../search/filter.js';
import { compilePattern, type Pattern } from '../../../search/grep/pattern.js';
import { classTest } from '../../../search/path-classes.js';
import { moduleTest, type NameTest, nameTest } from './names.js';
import { STARTER_RULES } from './starter.js';

/** Version of the rules' meaning. Change it with what a rule accepts. */
const VERSION = 1;

/** A rule with the place that it comes from. */
export interface KnownRule extends TagRule {
  /** Number among the rules of its source, the first is 1. */
  number: number;
  isBuiltIn: boolean;
}

export function rulesOf({ tags }: Pick<Config, 'tags'>): KnownRule[] {
  const wanted = new Set<string>(tags.starter);
  const numbered = (rules: readonly TagRule[], isBuiltIn: boolean) =>
    rules.map((rule, i) => ({ ...rule, number: i + 1, isBuiltIn }));
  const own = numbered(tags.rules, false);
  for (const rule of own) checkRule(rule);
  return [...numbered(STARTER_RULES, true).filter(({ tag }) => wanted.has(tag)), ...own];
}

/** Equal for rules that give equal tags. */
export function hashOf(rules: readonly KnownRule[]): string {
  return createHash('sha256')
    .update(JSON.stringify([VERSION, rules]))
    .digest('hex')
    .slice(0, 32);
}

const { tag: _, why: __, ...CONDITION_FIELDS } = TAG_RULE_FIELDS;
const CONDITIONS = Object.keys(CONDITION_FIELDS) as (keyof typeof CONDITION_FIELDS)[];

/** Throws BAD_CONFIG for a rule without a condition. */
function checkRule(rule: KnownRule): void {
  const isEmpty = CONDITIONS.every((key) => (rule[key]?.length ?? 0) === 0);
  if (isEmpty)
    throw new SocraticodeError(
      'BAD_CONFIG',
      `tags.rules[${rule.number - 1}] has no condition: it would tag every file`,
      {
        hint: `Conditions: ${CONDITIONS.join(', ')}.`,
      },
    );
}

/** A rule as tests; null stands for a condition that it does not have. */
export interface RuleTests {
  acceptsFile: (path: string) => boolean;
  acceptsLanguage: (id: string) => boolean;
  imports: NameTest | null;
  symbol: NamesTest | null;
  calls: NamesTest | null;
  pattern: Pattern | null;
}

/** Tests of simple names and of qualified ones; null where no pattern is of that form. */
export interface NamesTest {
  simple: NameTest | null;
  qualified: NameTest | null;
  /** Accepts every simple name that a qualified name can end with which `qualified` accepts: most are told apart by it. */
  ending: NameTest | null;
}

/** Throws BAD_CONFIG for an expression that RE2 does not know, or that spans lines. */
export function testsOf(rule: KnownRule): RuleTests {
  const { path = [], is = [], language = [], imports = [], symbol = [], calls = [], regex } = rule;
  const matches = path.length === 0 ? null : nameMatcher(path);
  const isOfClass = is.length === 0 ? null : classTest(is);
  const languages = new Set(language.map((id) => id.toLowerCase()));
  return {
    acceptsFile: (name) => (matches?.(name) ?? true) && (isOfClass?.(name) ?? true),
    acceptsLanguage: (id) => languages.size === 0 || languages.has(id),
    imports: imports.length === 0 ? null : moduleTest(imports),
    symbol: namesTest(symbol),
    calls: namesTest(calls),
    pattern: regex === undefined ? null : patternOf(rule, regex),
  };
}

const SEPARATORS = /::|->|#/g;

function namesTest(patterns: readonly string[]): NamesTest | null {
  if (patterns.length === 0) return null;
  const plain = patterns.map((pattern) => pattern.replace(SEPARATORS, '.'));
  const of = (some: readonly string[]) => (some.length === 0 ? null : nameTest(some));
  const qualified = plain.filter((pattern) => pattern.includes('.'));
  return {
    simple: of(plain.filter((pattern) => !pattern.includes('.'))),
    qualified: of(qualified),
    ending: of(qualified.map((pattern) => `*${/[^.*]*$/.exec(pattern)?.[0] ?? ''}`)),
  };
}

function patternOf({ number }: KnownRule, regex: string): Pattern {
  const refused = (reason: string) =>
    new SocraticodeError('BAD_CONFIG', `tags.rules[${number - 1}].regex ${reason}`, {
      hint: 'It is an expression of RE2 for one line, such as "@(Get|Post)Mapping".',
    });
  let pattern: Pattern;
  try {
    pattern = compilePattern({ pattern: regex });
  } catch (error) {
    throw refused((error as Error).message);
  }
  if (pattern.multiline) throw refused('spans lines');
  return pattern;
}
