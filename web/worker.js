/* Colours code apart from the page: a grammar that takes long on a hostile text blocks nothing, and the page ends the worker. */
/* global hljs */
const LANGUAGES = { tsx: 'typescript', vue: 'xml', svelte: 'xml', html: 'xml', toml: 'ini' };

/** Runs of a line as [class, text]; '' for plain text. */
function linesOf(tree) {
  const lines = [[]];
  const visit = (node, scope) => {
    if (typeof node !== 'string') {
      for (const child of node.children) visit(child, node.scope ?? scope);
      return;
    }
    for (const [i, text] of node.split('\n').entries()) {
      if (i > 0) lines.push([]);
      if (text !== '') lines.at(-1).push([scope.split('.')[0], text]);
    }
  };
  visit(tree, '');
  return lines;
}

/** A first line that goes on with a block comment: `* text`. */
const CONTINUED = /^[ \t]*\*(?:[ \t\n/]|$)/;
/** True for a language with such comments. */
const hasBlocks = (language) =>
  hljs.highlight('/* a */', { language })._emitter.rootNode.children[0]?.scope === 'comment';

/** Runs by lines. A part of a file may begin inside of a comment. */
function coloured(code, language) {
  const opened = CONTINUED.test(code) && hasBlocks(language) ? `/*\n${code}` : code;
  const { rootNode } = hljs.highlight(opened, { language, ignoreIllegals: true })._emitter;
  return linesOf(rootNode).slice(opened === code ? 0 : 1);
}

addEventListener('message', ({ data: { code, language, isApart } }) => {
  const name = LANGUAGES[language] ?? language;
  const known = hljs.getLanguage(name) === undefined ? null : name;
  const texts = isApart ? code.split('\n') : [code];
  const lines = known === null ? null : texts.flatMap((text) => coloured(text, known));
  // One text travels faster than a list for each word.
  postMessage(JSON.stringify(lines));
});
