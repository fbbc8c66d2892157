/** Reads what a doc comment sets as code, whatever language it is in: Markdown, and the references of JSDoc, Javadoc, rustdoc and Sphinx. */
import { type CodeSpan, type DocumentPart, MAX_SPAN } from './roles/documents.js';

/** Marks of a comment at the beginning of its lines, and at its end. */
const MARKS = /^[ \t]*(?:\/\*+!?|\*+(?!\/)|\/\/[/!]?|#+|--+|;+|"""|''')?[ \t]*|[ \t]*(?:\*+\/|"""|''')[ \t]*$/g;
/**
 * `{@link Cart#total}`, `@see Cart`, `` :meth:`~shop.Cart.total` `` and `[Cart::total]`, which no target follows. A word in brackets alone
 * is a reference only if it is written as a name of several words is.
 */
const REFERENCE =
  /\{@(?:link|linkplain|linkcode)\s+([^\s{}|]{1,200})[^{}]{0,200}\}|@see\s+([\w$.#:]{1,200})(?=\s|$)|:(?:\w{1,10}:)?(?:class|meth|func|attr|mod|exc|data|obj):`[~!.]{0,2}([\w.]{1,200})(?:\(\))?`|(?<![\]\w\\])\[`?(\w{1,100}(?:(?:::|\.)\w{1,100})+|\w{0,100}[a-z]\w{0,100}[A-Z]\w{0,100})(?:\(\))?`?\](?![([:\w])/g;
/** `{@code total}` */
const CODE = /\{@code\s+([^{}]{1,200})\}/g;

/** `text`: the comment with its marks, beginning at `line`. Pieces in the order of lines; linear in the length of the text. */
export async function readComment(text: string, line: number): Promise<DocumentPart[]> {
  const { readMarkdown } = await import('./data/markdown.js');
  const references: CodeSpan[] = [];
  const plain = text.split('\n').map((written, at) => {
    const clean = written.replace(MARKS, '').replace(CODE, '`$1`');
    return clean.replace(REFERENCE, (_, ...names: (string | undefined)[]) => {
      const name = names.slice(0, 4).find((each) => each !== undefined) ?? '';
      references.push({ is: 'code', line: line + at, text: name.replace(/^#/, ''), isReference: true });
      return ' ';
    });
  });
  const parts = readMarkdown(plain.join('\n')).flatMap((part): DocumentPart[] => {
    const isMention = part.is === 'link' || (part.is === 'code' && part.text.length <= MAX_SPAN);
    return isMention ? [{ ...part, line: line + part.line - 1 }] : [];
  });
  return [...references, ...parts].sort((a, b) => a.line - b.line);
}
