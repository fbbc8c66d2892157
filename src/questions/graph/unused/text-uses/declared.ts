/** Words of a declaration that say who may use it, which the graph does not hold. */
import type { Excuse } from '../../../../graph/query/unused.js';

/** Attributes in `#[…]` that describe a definition and pass it to no other code. */
const INERT_ATTRIBUTES =
  /^(?:inline|allow|warn|deny|expect|cfg|cfg_attr|must_use|derive|doc|deprecated|cold|track_caller|non_exhaustive|repr|rustfmt|clippy|automatically_derived|serde|default)\b/;
const ATTRIBUTE = /^\s*#\[\s*([\w:]+)/gm;
const TEST_ATTRIBUTE = /(?:^|::)(?:test|bench)$/;

/** A first parameter that stands for the object. */
const SELF = /^\s*(?:<[^()]*>)?\s*\(\s*&?\s*(?:'\w+\s+)?(?:mut\s+)?self\b/;

/** Lines that a declaration may take up to its parameters. */
const MAX_LINES = 12;

/** Words of a declaration and their meaning, the first that is found. `before`: up to the name, `after`: behind it. */
const SIGNS: readonly { verdict: Excuse['verdict']; reason: string; fits: (head: Head) => boolean }[] = [
  {
    verdict: 'framework',
    reason: 'it overrides a member that is outside of this repository and may be called',
    fits: ({ before }) => /\boverride\b/.test(before),
  },
  {
    verdict: 'exported',
    reason: 'it is protected: subclasses outside of this repository may use it',
    fits: ({ before }) => /\bprotected\b/.test(before),
  },
  {
    verdict: 'framework',
    reason: 'it is declared here and defined elsewhere',
    fits: ({ before, container }) => AMBIENT.test(before) || AMBIENT.test(container),
  },
  {
    verdict: 'framework',
    reason: 'it has no body here: another definition has',
    fits: ({ text }) => BODILESS.test(text),
  },
  {
    verdict: 'framework',
    reason: 'it may add to a declaration elsewhere',
    fits: ({ text, isTopLevel }) => isTopLevel && /^[ \t]+(?:export )?interface\b/.test(text),
  },
  {
    verdict: 'framework',
    reason: 'it belongs to a type that has no name here',
    fits: ({ after, isTopLevel }) => isTopLevel && SELF.test(after),
  },
  {
    verdict: 'indirect',
    reason: 'it is set as a property: who has that object can call it',
    fits: ({ before }) => /\.\s*#?$/.test(before),
  },
];

/** Modifiers of declarations whose bodies are elsewhere. */
const AMBIENT = /\b(?:declare|external|extern|expect|actual|native)\b/;

/** A declaration alone: up to a semicolon, or by the keyword of functions whose bodies begin with a sign. */
const BODILESS = /^(?:[^{}=]*;|\s*(?:[\w@]+\s+)*fun\s[^{}=]*)\s*$/;

interface Head {
  /** The whole definition, if it is short. */
  text: string;
  before: string;
  /** First line of the type that it is a member of, '' for none. */
  container: string;
  after: string;
  isTopLevel: boolean;
}

/** `lines`: those of the definition. Null for a declaration that says nothing of the kind. */
export function excuseOfDeclaration(
  lines: readonly string[],
  name: string,
  { isTopLevel, container }: Pick<Head, 'isTopLevel' | 'container'>,
): Excuse | null {
  const text = lines.slice(0, MAX_LINES).join('\n');
  const plain = text.replace(/^\s*#\[.*$/gm, '');
  const at = plain.search(new RegExp(`(?<![\\p{L}\\p{N}_$])${name.replace(/\$/g, '\\$')}(?![\\p{L}\\p{N}_$])`, 'u'));
  const head: Head = {
    // Of a longer one the end is not read.
    text: lines.length > MAX_LINES ? '' : plain,
    before: plain.slice(0, Math.max(0, at)),
    after: plain.slice(at + name.length),
    isTopLevel,
    container,
  };
  // Attributes stand before the name; those in the body are about something else.
  const own = at < 0 ? text : text.slice(0, text.length - plain.length + at);
  for (const [, attribute] of own.matchAll(ATTRIBUTE)) {
    if (INERT_ATTRIBUTES.test(attribute)) continue;
    if (TEST_ATTRIBUTE.test(attribute))
      return { verdict: 'entry-point', reason: 'test runners find it by its attribute' };
    return { verdict: 'framework', reason: `it is marked with ${attribute}, which may use it` };
  }
  const sign = SIGNS.find(({ fits }) => fits(head));
  return sign === undefined ? null : { verdict: sign.verdict, reason: sign.reason };
}
