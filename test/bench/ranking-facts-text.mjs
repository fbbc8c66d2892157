// Sentences of comments and titles of tests, taken out of source text by patterns: a parser would find what the indexer finds.

/** One pattern a family; the group `doc` is the comment of a type, a module or a public function. */
const DOCS = {
  python: /(?<=^(?:#.*\n|\s)*|^class \w+[^\n]*:\n\s+)(?<doc>"""(?:.|\n)*?""")/m,
  rust: /^(?<doc>(?:\/\/!.*\n)+)|^(?<doc2>(?:\/\/\/.*\n)+)(?:#\[[^\n]*\]\n)*pub (?:struct|trait|enum|fn) /m,
  go: /^(?<doc>(?:\/\/.*\n)+)(?:type \w+ (?:struct|interface)|func (?:\([^)]*\) )?[A-Z])/m,
  ruby: /^(?<doc>(?:[ \t]*#.*\n)+)\s*(?:class|module) [A-Z]/m,
  csharp: /(?<doc>(?:[ \t]*\/\/\/.*\n)+)\s*(?:\[[^\n]*\]\n\s*)*public [\w ]*(?:class|interface|struct|enum) /,
  swift:
    /^(?<doc>(?:[ \t]*\/\/\/.*\n)+)(?:@\w+[^\n]*\n)*[ \t]*(?:public |open |final |internal )*(?:class|struct|protocol|enum|extension|func) /m,
  c: /^(?<doc>(?:[ \t]*\/\/+.*\n)+)\s*(?:class|struct|template|enum) |(?<doc2>\/\*\*(?:[^*]|\*(?!\/))*\*\/)\s*(?:class|struct|template|enum|\w+ \*?\w+\()/m,
  braces:
    /(?<doc>\/\*\*(?:[^*]|\*(?!\/))*\*\/)\s*(?:@\w+[^\n]*\n\s*)*(?:export |default |public |abstract |final |sealed |open |data |internal |async |static |expect |actual )*(?:class|interface|object|trait|enum|fun|function|const|type|record) /,
  shell: /^(?<doc>(?:#[^!].*\n)+)(?:function )?[\w:-]+ ?\(\) ?\{/m,
};
const FAMILIES = {
  ...Object.fromEntries('java kt scala ts tsx js jsx mjs cjs php'.split(' ').map((ext) => [ext, 'braces'])),
  ...Object.fromEntries('c h cc cpp hpp'.split(' ').map((ext) => [ext, 'c'])),
  ...{ py: 'python', rs: 'rust', go: 'go', rb: 'ruby', cs: 'csharp', swift: 'swift', sh: 'shell', bash: 'shell' },
};

/** The first sentence that says something, of 4 to 18 words; null for licences, links and orders to tools. */
export function sentenceOf(comment) {
  const lines = comment
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/[/!]?|#+|"""|''')\s?/, '').trim());
  const text = lines
    .join(' ')
    .replace(/\*\/|"""/g, '')
    .replace(
      /\{@\w+\s+([^}]*)\}|<[^>]+>|\[`?([^\]`]+)`?\](?:\([^)]*\)|\[[^\]]*\])?/g,
      (_, code, link) => code ?? link ?? ' ',
    )
    .replaceAll('`', '')
    .trim();
  const sentence = (/^(.+?[.!?])(?:\s|$)/.exec(text)?.[1] ?? text).trim().replace(/\.$/, '');
  if (/copyright|licen[sc]e|@\w+|http|eslint|generated|TODO|see /i.test(sentence)) return null;
  const words = sentence.match(/[A-Za-z][\w'-]*/g) ?? [];
  return words.length >= 4 && words.length <= 18 ? sentence : null;
}

/** The text without its first comment with a sentence, of as many lines; null if there is none. */
export function maskedDoc(text, extension) {
  const pattern = DOCS[FAMILIES[extension]];
  if (pattern === undefined) return null;
  for (const match of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    const doc = match.groups.doc ?? match.groups.doc2;
    const sentence = doc === undefined ? null : sentenceOf(doc);
    if (sentence === null) continue;
    const at = match.index + match[0].indexOf(doc);
    // A body that was a comment alone still needs a statement.
    const rest = doc.startsWith('"""') ? '""""""' : '';
    return {
      sentence,
      text: text.slice(0, at) + rest + '\n'.repeat(doc.split('\n').length - 1) + text.slice(at + doc.length),
      line: describedLine(text, at, doc),
    };
  }
  return null;
}

const WHOLE_FILE = /^\s*(?:package|import|using|use|#include|namespace|from|const \w+ = require|export \*)\b/;

/** The first line of the definition that a comment is about; null where it is about the whole file. */
function describedLine(text, at, doc) {
  const lines = text.split('\n');
  const own = text.slice(0, at).split('\n').length;
  // A docstring stands below the line with the name.
  if (doc.startsWith('"""')) return /^\s*class /.test(lines[own - 2] ?? '') ? own - 1 : null;
  if (doc.startsWith('//!')) return null;
  let line = own + doc.trimEnd().split('\n').length;
  while (line <= lines.length && /^\s*(?:$|@|#\[)/.test(lines[line - 1])) line++;
  return line > lines.length || WHOLE_FILE.test(lines[line - 1]) ? null : line;
}

const TITLES = {
  py: /^\s*(?:async )?def test_(\w+)/gm,
  go: /^func Test(\w+)\(/gm,
  rs: /#\[test\]\s*(?:async )?fn (?:test_)?(\w+)/g,
  java: /@Test[^{;]*?void (?:test)?(\w+)\(/g,
  kt: /@Test[^{;]*?fun (?:`([^`]+)`|(?:test)?(\w+))\(/g,
  cs: /\[(?:Fact|Test|Theory)\b[^{;]*?(?:void|Task) (\w+)\(/g,
  rb: /^\s*(?:it|test|specify) ['"]([^'"\n]+)['"]/gm,
  swift: /func test(\w+)\(/g,
  php: /function test(\w+)\(/g,
};
for (const ext of 'ts tsx js jsx mjs cjs'.split(' '))
  TITLES[ext] = /\b(?:it|test)(?:\.\w+)?\(\s*['"`]([^'"`\n$]+)['"`]/g;

/** Titles as words, of at least four. */
export function testTitles(text, extension) {
  const found = [...text.matchAll(TITLES[extension] ?? /(?!)/g)].map(([, title, other]) => title ?? other);
  const worded = found.map((title) =>
    /\s/.test(title)
      ? title
      : title
          .replace(/_+/g, ' ')
          .replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')
          .trim(),
  );
  return [...new Set(worded)].filter((title) => (title.match(/[A-Za-z]{2,}/g) ?? []).length >= 4);
}
