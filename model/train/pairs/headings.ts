/** Makes pairs from sections of documentation: the heading, and the text below it. */
import { plainText, prose, wordsOf } from './clean.js';
import { nameWords } from './names.js';
import { cutCode, type Draft, type Range, type Source } from './types.js';

const MIN_SECTION = 100;

interface Heading extends Range {
  level: number;
  title: string;
}

const NO_SECTION =
  /^(?:table of contents|contents|index|licen[sc]e|authors?|contributors?|contributing|changelog|changes|credits|copyright|acknowledge?ments?|sponsors?|backers|maintainers?|support|donate|badges|news|history|release notes|name|see also|bugs|links|references|todo|unreleased|code of conduct|documentation|further reading|resources|community|getting help|help|questions|compatibility|deprecat\w+ notice|minimum supported rust version.*|status|supported by|v?\d[\d.\s()/-]*.*|\[.*)$/i;
/** Generic headings, which are replaced by the file's name. */
const VAGUE_SECTION =
  /^(?:description|synopsis|methods|functions|overview|introduction|usage|api|options|details|reference|docs|class methods|exports|readme)\b/i;
const NO_PROSE_FILE =
  /(?:change|news|history|licen[sc]e|copying|authors|contributors|code.of.conduct|security|todo|thanks|credits|release|contribut|copyright|migrat|upgrad)/i;

export function headingPairs({ text, language, path }: Source): Draft[] {
  if (NO_PROSE_FILE.test(path.slice(path.lastIndexOf('/') + 1))) return [];
  const headings = headingsOf(text, language);
  const drafts: Draft[] = [];
  for (const [index, { end, title, level }] of headings.entries()) {
    const section = cutCode(plainSection(text.slice(end, headings[index + 1]?.start ?? text.length), language));
    if (section.length < MIN_SECTION || NO_SECTION.test(title)) continue;
    const parent = headings
      .slice(0, index)
      .reverse()
      .find((other) => other.level < level);
    const above = parent === undefined || VAGUE_SECTION.test(parent.title) ? documentName(path) : parent.title;
    const repeated = title.toLowerCase().startsWith(above.toLowerCase());
    const query = plainText((repeated ? title : `${above} ${title}`).replace(/[[\]#]|\{[^}]*\}/g, ' ')).replace(
      /[\s:.]+$/,
      '',
    );
    const words = wordsOf(query);
    if (words.length < 2 || words.length > 20 || !isProse(section)) continue;
    drafts.push({ kind: 'heading', query, code: section });
  }
  return drafts;
}

/** Words of a document's name, unless the name is generic. */
function documentName(path: string): string {
  const name = nameWords(path.slice(path.lastIndexOf('/') + 1).replace(/\.\w+$/, ''));
  return /^(?:readme|index|intro|introduction|main|doc|docs|manual|guide|api|usage|\d+)\b/.test(name) ? '' : name;
}

/** The language is recognised by the section, which must be more than a list of links. */
function isProse(section: string): boolean {
  const text = firstProse(section);
  return wordsOf(text).length >= 8 && prose(text) !== null;
}

const ATX = /^(#{1,6})[ \t]+(.+?)[ \t]*#*$/gm;
const UNDERLINED = /^([^\s#>*|`-][^\n]{1,100})\n([-=~^"'`*+#:.])\2{2,}[ \t]*$/gm;
const ASCIIDOC = /^(={1,6})[ \t]+(.+)$/gm;
const ORG = /^(\*{1,6})[ \t]+(.+)$/gm;
const MAN = /^\.(SH|SS)[ \t]+"?([^"\n]+)"?$/gm;
const TEXINFO = /^@(chapter|section|subsection|subsubsection|unnumberedsec)[ \t]+(.+)$/gm;
const TEX = /^\\(chapter|section|subsection|subsubsection)\*?\{([^}\n]+)\}/gm;
const POD = /^=(head[1-4])[ \t]+(.+)$/gm;
const DEPTH = 'chapter unnumberedsec section subsection subsubsection SH SS head1 head2 head3 head4'.split(' ');

const HEADINGS: Readonly<Record<string, readonly RegExp[]>> = {
  markdown: [ATX, UNDERLINED],
  rst: [UNDERLINED],
  asciidoc: [ASCIIDOC],
  org: [ORG],
  man: [MAN],
  texinfo: [TEXINFO],
  tex: [TEX],
  perl: [POD],
};

const FRONT_MATTER = /^---\n[\s\S]*?\n---(?=\n)/;
const blank = (part: string) => part.replace(/[^\n]/g, ' ');

function headingsOf(text: string, language: string): Heading[] {
  // Blanks out fenced code, so that comments in it are not taken for headings.
  const visible = text.replace(FRONT_MATTER, blank).replace(/^([ \t]*)(```|~~~)[\s\S]*?^\1\2[ \t]*$/gm, blank);
  const marks: string[] = [];
  return (HEADINGS[language] ?? [])
    .flatMap((pattern) =>
      [...visible.matchAll(pattern)].map((match) => {
        const under = pattern === UNDERLINED;
        const mark = under ? match[2] : match[1];
        if (under && !marks.includes(mark)) marks.push(mark);
        const level = under ? marks.indexOf(mark) + 1 : DEPTH.includes(mark) ? DEPTH.indexOf(mark) + 1 : mark.length;
        const title = (under ? match[1] : match[2]).trim();
        return { start: match.index, end: match.index + match[0].length, level, title };
      }),
    )
    .sort((a, b) => a.start - b.start);
}

function plainSection(section: string, language: string): string {
  if (language === 'man') {
    return section
      .replace(/^\.\\".*$|^\.(?:PP|TP|IP|br|sp|RS|RE|nf|fi|P|LP|ad|na)\b.*$/gm, '')
      .replace(/^\.[A-Z]{1,2}[ \t]+/gm, '')
      .replace(/\\f[BIRP]|\\-|\\&/g, (mark) => (mark === '\\-' ? '-' : ''));
  }
  if (language === 'perl')
    return section.replace(/^=cut\n[\s\S]*$|^=(?:over[ \t]*\d*|item|back|begin|end|for|encoding)\b[ \t]*/gm, '');
  if (language === 'texinfo')
    return section.replace(/^@(?:node|cindex|findex|vindex|menu|end|table|item|need)\b.*$/gm, '');
  return section.replace(/<!--[\s\S]*?-->|!\[[^\]]*\]\([^)]*\)|^\.\. _[^\n]*$/gm, '');
}

function firstProse(section: string): string {
  const lines = section.split('\n').filter((line) => wordsOf(line).length >= 4 && !/^\s{4}|^[\s]*[|`$]/.test(line));
  return plainText(lines.slice(0, 3).join(' ')).split(' ').slice(0, 60).join(' ');
}
