/** Texts that make an expression try its parts again and again, made from the expression itself. */

type Part =
  | { alternatives: Part[] }
  | { sequence: Part[] }
  | { repeated: Part; least: number; most: number }
  | { chars: string[] }
  | { around: Part };

/** A prefix, and what is repeated behind it. */
export type Attack = [prefix: string, piece: string];

const CLASSES: Record<string, string> = { d: '1', w: 'a', s: ' ', D: 'a', W: '-', S: 'a', b: '', B: '' };
const CONTROLS: Record<string, string> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', '0': '\0' };
/** What stands for a class that names what it does not contain. */
const OTHERS = ['a', ' ', '-', '/', '"', '(', 'A', '1', '{', '<', '\n', '=', '*', '.', ','];
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/;

/** Reads as much of the syntax of expressions as is needed to write texts that they match. */
class ExpressionReader {
  private at = 0;

  constructor(
    private readonly source: string,
    private readonly isUnicode: boolean,
  ) {}

  alternatives(): Part {
    const alternatives = [this.sequence()];
    while (this.take(/^\|/) !== null) alternatives.push(this.sequence());
    return { alternatives };
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    const found = pattern.exec(this.source.slice(this.at));
    this.at += found?.[0].length ?? 0;
    return found;
  }

  private sequence(): Part {
    const sequence: Part[] = [];
    while (this.at < this.source.length && !'|)'.includes(this.source[this.at])) {
      const atom = this.atom();
      const count = this.take(QUANTIFIER);
      if (count === null) sequence.push(atom);
      else {
        const [whole, least, comma, most] = count;
        const isOpen = whole[0] === '*' || whole[0] === '+' || (comma === ',' && most === '');
        sequence.push({
          repeated: atom,
          least: least === undefined ? Number(whole[0] === '+') : Number(least),
          most: isOpen ? Number.POSITIVE_INFINITY : Number(most || (least ?? 1)),
        });
      }
    }
    return { sequence };
  }

  private atom(): Part {
    if (this.take(/^\((?=\?(?:<?[=!]))/) !== null) {
      this.take(/^\?<?[=!]/);
      const around = this.alternatives();
      this.take(/^\)/);
      return { around };
    }
    if (this.take(/^\((?:\?:|\?<\w+>)?/) !== null) {
      const inner = this.alternatives();
      this.take(/^\)/);
      return inner;
    }
    const set = this.take(/^\[(?:\\[\s\S]|[^\]\\])*\]/);
    if (set !== null) return { chars: this.members(set[0]) };
    if (this.take(/^[\^$]/) !== null) return { chars: [''] };
    if (this.take(/^\./) !== null) return { chars: ['a', '-'] };
    const escaped = this.take(/^\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|k<\w+>|[\s\S])/);
    return { chars: [escaped === null ? (this.take(/^[\s\S]/u)?.[0] ?? '') : charOf(escaped[0])] };
  }

  /** The first characters of a class. */
  private members(set: string): string[] {
    const matches = new RegExp(`^${set}$`, this.isUnicode ? 'u' : '');
    const named = set.startsWith('[^') ? [] : (set.slice(1, -1).match(/\\[pP]\{[^}]*\}|\\[\s\S]|[^\\]/gu) ?? []);
    const chars = [...named.map((each) => (each.startsWith('\\') ? charOf(each) : each)), ...OTHERS];
    return [...new Set(chars)].filter((char) => matches.test(char)).slice(0, 6);
  }
}

function charOf(escaped: string): string {
  const code = /^\\(?:u\{?|x)([\da-fA-F]+)/.exec(escaped)?.[1];
  if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16));
  if (/^\\p\{(?:N|Nd)\}/.test(escaped)) return '1';
  if (/^\\p\{/.test(escaped)) return /Lu\b/.test(escaped) ? 'A' : 'a';
  if (/^\\(?:P\{|\d|k<)/.test(escaped)) return '-';
  return CLASSES[escaped[1]] ?? CONTROLS[escaped[1]] ?? escaped.slice(1);
}

/** A text that a part matches, another one for each `variant`. */
function sample(part: Part, variant: number): string {
  if ('chars' in part) return part.chars[variant % part.chars.length] ?? '';
  if ('sequence' in part) return part.sequence.map((each) => sample(each, variant)).join('');
  if ('alternatives' in part) return sample(part.alternatives[variant % part.alternatives.length], variant);
  if ('around' in part) return '';
  return sample(part.repeated, variant).repeat(Math.max(part.least, variant > 0 ? 1 : 0));
}

const VARIANTS = 4;

/** The parts that may be repeated often, each with a text that leads to it. */
function repetitions(part: Part, before: string): Attack[] {
  if ('chars' in part) return [];
  if ('around' in part) return repetitions(part.around, before);
  if ('alternatives' in part) return part.alternatives.flatMap((each) => repetitions(each, before));
  if ('sequence' in part) {
    let lead = before;
    return part.sequence.flatMap((each) => {
      const found = repetitions(each, lead);
      lead += sample(each, 0);
      return found;
    });
  }
  const own = Array.from(
    { length: part.most > 3 ? VARIANTS : 0 },
    (_, i): Attack => [before, sample(part.repeated, i)],
  );
  return [...repetitions(part.repeated, before), ...own].filter(([, piece]) => piece !== '');
}

/** What is repeated alone, behind its lead, with its lead, and in pairs. */
export function attacksOn({ source, flags }: RegExp): Attack[] {
  const found = repetitions(new ExpressionReader(source, flags.includes('u')).alternatives(), '');
  const pieces = [...new Set(found.map(([, piece]) => piece))].slice(0, 6);
  const alone = pieces.map((piece): Attack => ['', piece]);
  const pairs = pieces.flatMap((one) => pieces.map((other): Attack => ['', one + other]));
  const all = [...found, ...alone, ...found.map(([lead, piece]): Attack => ['', lead + piece]), ...pairs];
  return [...new Map(all.map((attack) => [attack.join('\0'), attack])).values()];
}
