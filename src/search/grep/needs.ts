/**
 * Texts that every match of a pattern contains, found without running it: a file that lacks one need not be read, or not be
 * matched. The rules are conservative: where the syntax is not one of the usual forms, nothing is needed. After Russ Cox,
 * "Regular Expression Matching with a Trigram Index" (2012).
 */

/** Condition on a text; null: every text may match. */
export type Need = { text: string } | { all: readonly Need[] } | { any: readonly Need[] } | null;

/** Thrown inside for syntax whose needs are not worked out: inline flags, `\Q…\E`, escapes by number. */
class Unknown extends Error {}

/** Groups nested deeper than this are not looked into. */
const MAX_DEPTH = 50;
const REPEAT = /^\{(\d+)(?:,\d*)?\}/;
const GROUP = /^\((?:\?:|\?P?<[A-Za-z_]\w*>)?(?!\?)/;
const CLASS = /^\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]|[^\]\\])*\]/;

/** Needs of an RE2 pattern. */
export function needOf(pattern: string): Need {
  try {
    const reader = new NeedReader(pattern);
    return reader.read();
  } catch (error) {
    if (error instanceof Unknown) return null;
    throw error;
  }
}

/** Tells whether a text fulfils a need, `has` being asked for its texts. */
export function fulfils(need: Need, has: (text: string) => boolean): boolean {
  if (need === null) return true;
  if ('text' in need) return has(need.text);
  if ('all' in need) return need.all.every((part) => fulfils(part, has));
  return need.any.some((part) => fulfils(part, has));
}

/** More alternatives than this take longer to look for than the pattern itself. */
const MAX_MARKS = 50;

/** Texts of which every match contains at least one: the longest choice, by its shortest text. Null if none is known. */
export function marksOf(need: Need): string[] | null {
  if (need === null) return null;
  if ('text' in need) return need.text === '' ? null : [need.text];
  const parts = ('all' in need ? need.all : need.any).map(marksOf);
  if ('all' in need) return parts.reduce((best, part) => (shortest(part) > shortest(best) ? part : best), null);
  const marks = parts.flatMap((part) => part ?? []);
  return parts.includes(null) || marks.length > MAX_MARKS ? null : marks;
}

function shortest(marks: string[] | null): number {
  return marks === null ? 0 : Math.min(...marks.map(({ length }) => length));
}

class NeedReader {
  private at = 0;
  private depth = 0;

  constructor(private readonly pattern: string) {}

  read(): Need {
    const need = this.alternation();
    if (this.at < this.pattern.length) throw new Unknown();
    return need;
  }

  private alternation(): Need {
    const branches: Need[] = [this.sequence()];
    while (this.pattern[this.at] === '|') {
      this.at++;
      branches.push(this.sequence());
    }
    if (branches.length === 1) return branches[0];
    return branches.includes(null) ? null : { any: branches };
  }

  /** Parts up to `|`, `)` or the end: letters in succession are one text. */
  private sequence(): Need {
    const parts: Need[] = [];
    let run = '';
    const flush = () => {
      if (run !== '') parts.push({ text: run });
      run = '';
    };
    while (this.at < this.pattern.length && !'|)'.includes(this.pattern[this.at])) {
      const { need, letter } = this.atom();
      const least = this.repeat();
      if (letter !== undefined && least === null) {
        run += letter;
        continue;
      }
      if (letter !== undefined && least !== 0) run += letter;
      flush();
      if (need !== null && least !== 0) parts.push(need);
    }
    flush();
    if (parts.length <= 1) return parts[0] ?? null;
    return { all: parts };
  }

  private atom(): { need: Need; letter?: string } {
    const rest = this.pattern.slice(this.at, this.at + 2);
    if (rest[0] === '(') return { need: this.group() };
    if (rest[0] === '[') return this.skip(CLASS);
    if (rest[0] === '\\') return this.escape(rest[1] ?? '');
    if ('.^$'.includes(rest[0])) return this.skip(/^./s);
    // RE2 takes a repetition that repeats nothing for an error, and half of a surrogate pair matches no character.
    const letter = String.fromCodePoint(this.pattern.codePointAt(this.at) as number);
    this.at += letter.length;
    return { need: null, letter };
  }

  private group(): Need {
    if (++this.depth > MAX_DEPTH) throw new Unknown();
    this.skip(GROUP);
    const need = this.alternation();
    this.skip(/^\)/);
    this.depth--;
    return need;
  }

  private escape(letter: string): { need: Need; letter?: string } {
    if (/[wWdDsSbBAznrtfv]/.test(letter)) {
      this.at += 2;
      return { need: null };
    }
    if (letter === '' || /[A-Za-z0-9]/.test(letter) || letter.charCodeAt(0) >= 128) throw new Unknown();
    this.at += 2;
    return { need: null, letter };
  }

  private skip(form: RegExp): { need: Need } {
    const found = form.exec(this.pattern.slice(this.at));
    if (found === null) throw new Unknown();
    this.at += found[0].length;
    return { need: null };
  }

  /** Fewest repetitions of the atom before; null: it stands once. */
  private repeat(): number | null {
    const rest = this.pattern.slice(this.at, this.at + 16);
    const braces = REPEAT.exec(rest);
    const sign = braces?.[0] ?? ('*+?'.includes(rest[0] ?? ' ') ? rest[0] : '');
    if (sign === '') return null;
    this.at += sign.length;
    if (this.pattern[this.at] === '?') this.at++;
    if (braces !== null) return Number(braces[1]);
    return sign === '+' ? 1 : 0;
  }
}
