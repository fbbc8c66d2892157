/** Mentions of a name in the text of a file, comments and strings left out: what facts do not tell may bind it. */
import type { LexicalConventions } from '../../languages/roles/relations.js';
import { isNameCode, skipOpaque } from '../../languages/roles/scan.js';

export interface Mention {
  /** 1-based. */
  line: number;
  /** It follows a dot or what the language writes for one. */
  isMember: boolean;
  /** It is given a value or a type, or is declared as one: `name =`, `name :=`, `as name`. */
  isBound: boolean;
}

/** Texts in which names are looked up as whole words. */
export function mentionsOf(text: string, name: string, lexical: LexicalConventions): Mention[] {
  if (name === '' || !text.includes(name)) return [];
  const found: Mention[] = [];
  const extra = lexical.nameExtra ?? '';
  let line = 1;
  let counted = 0;
  for (let at = 0; at < text.length; ) {
    if (!isNameCode(text.charCodeAt(at), extra)) {
      at = skipOpaque(text, at, text.length, lexical);
      continue;
    }
    let end = at + 1;
    while (end < text.length && isNameCode(text.charCodeAt(end), extra)) end++;
    if (end - at === name.length && text.startsWith(name, at)) {
      for (; counted < at; counted++) if (text.charCodeAt(counted) === NEWLINE) line++;
      found.push({
        line,
        isMember: MEMBER.test(text.slice(Math.max(0, at - LOOK), at)),
        isBound: isBound(text, at, end),
      });
    }
    at = end;
  }
  return found;
}

const NEWLINE = 0x0a;
/** Code units before and after a name that tell how it is used. */
const LOOK = 24;
const MEMBER = /(?:\.|->|::)\s*$/;
const GIVEN = /^\s*(?::?=(?![=>~])|:(?!:)|\?:)/;
const DECLARED = /\b(?:as|function|class|def|func|fn|fun|const|let|var|val|type|interface|enum|struct|trait|for)\s+$/;

function isBound(text: string, at: number, end: number): boolean {
  return GIVEN.test(text.slice(end, end + LOOK)) || DECLARED.test(text.slice(Math.max(0, at - LOOK), at));
}
