// Pieces of a manual page, in the macros of man(7). Pages are ASCII: other characters are written as groff and mandoc name them.

/** Text as it is, wherever it stands: no character of it is taken for roff. */
export function escapeRoff(text) {
  const escaped = text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replaceAll("'", '\\(aq')
    .replaceAll('`', '\\(ga')
    .replaceAll('^', '\\(ha')
    .replaceAll('~', '\\(ti')
    .replace(/[^\x20-\x7e\n]/gu, (char) => `\\[u${char.codePointAt(0).toString(16).toUpperCase().padStart(4, '0')}]`);
  // A line that begins with a dot is a request.
  return escaped.replace(/^\./gm, '\\&.');
}

export const bold = (text) => `\\fB${escapeRoff(text)}\\fR`;

/** Prose in Markdown: code becomes bold, links their text. Sentences that only point to a page of docs/ are left out. */
export function prose(markdown) {
  return markdown
    .replace(/\s*\bSee \[[^\]]*\]\([^)]*\)\./g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .split(/\n{2,}/)
    .map((paragraph) =>
      paragraph
        .replaceAll('\n', ' ')
        .split(/`([^`]*)`/)
        .map((part, i) => (i % 2 === 1 ? bold(part) : escapeRoff(part)))
        .join(''),
    )
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) => paragraph.replace(/^(?=\.)/, '\\&'))
    .join('\n.PP\n');
}

export const heading = (title) => `.SH ${quote(title)}\n`;
export const subheading = (title) => `.SS ${quote(title)}\n`;
export const quote = (text) => `"${escapeRoff(text)}"`;

/** A term in bold, with its text below. */
export const item = (term, text) => `.TP\n${bold(term)}\n${text}\n`;

/** A block of lines as they are. */
export const lines = (text) => `.PP\n.nf\n.RS 4\n${escapeRoff(text.trimEnd())}\n.RE\n.fi\n`;
