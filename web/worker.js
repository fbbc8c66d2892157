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

addEventListener('message', ({ data: { code, language } }) => {
  const name = LANGUAGES[language] ?? language;
  const known = hljs.getLanguage(name) === undefined ? null : name;
  const lines =
    known === null ? null : linesOf(hljs.highlight(code, { language: known, ignoreIllegals: true })._emitter.rootNode);
  // One text travels faster than a list for each word.
  postMessage(JSON.stringify(lines));
});
