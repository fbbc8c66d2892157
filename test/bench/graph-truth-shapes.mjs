// How code names something, told from the text around the name: what a cause of errors is called by.

/** Shapes by the text before and after a name, the first that fits. */
const SHAPES = [
  ['definition', /\b(?:def|class|function|interface|enum|func|struct)\s+$/, /^/],
  [
    'isinstance / instanceof',
    /\b(?:isinstance|issubclass)\([^()]*,\s*(?:\([^()]*)?[\w.]*$|\binstanceof\s+[\w.]*$/,
    /^/,
  ],
  ['except / catch', /\bexcept\s+\(?[\w., ]*$/, /^/],
  ['decorator', /^\s*@[\w.]*$/, /^/],
  ['base class', /^\s*class\s+\w+[^:]*\([^()]*$|\b(?:extends|implements)\s+[^{]*$/, /^/],
  ['JSX element', /<\/?$/, /^[\s/>]/],
  [
    'write of self.x / this.x',
    /\b(?:self|this|cls)\??\.#?$/,
    /^\s*(?:[+\-*/|&%]|\*\*|\/\/|<<|>>|\?\?|\|\|)?=(?!=)|^\s*:\s*[^=]+=(?!=)/,
  ],
  ['call of self.x / this.x', /\b(?:self|this|cls)\??\.#?$/, /^\s*\(/],
  ['read of self.x / this.x', /\b(?:self|this|cls)\??\.#?$/, /^/],
  ['super().x', /\bsuper(?:\([^()]*\))?\.$/, /^/],
  ['call chained after a call', /\)\s*[?!]?\.\s*$|^\s*[?!]?\.$/, /^\s*(?:<[^()]*>)?\(/],
  ['property chained after a call', /\)\s*[?!]?\.\s*$|^\s*[?!]?\.$/, /^/],
  ['x[i].call()', /\]\s*[?!]?\.$/, /^\s*\(/],
  ['x[i].prop', /\]\s*[?!]?\.$/, /^/],
  ['call of a.b.x', /[\w$]\.[\w$]+[?!]?\.$/, /^\s*(?:<[^()]*>)?\(/],
  ['property a.b.x', /[\w$]\.[\w$]+[?!]?\.$/, /^/],
  ['x.y of an imported or local name X', /\b[A-Z][\w$]*[?!]?\.$/, /^/],
  ['write of x.prop', /[\w$][?!]?\.$/, /^\s*(?:[+\-*/|&%])?=(?!=)/],
  ['call x.name()', /[\w$][?!]?\.$|->$|::$/, /^\s*(?:<[^()]*>)?\(/],
  ['read of x.prop', /[\w$][?!]?\.$|->$/, /^/],
  ['new X', /\bnew\s+$/, /^/],
  ['key of an object literal, or keyword argument', /(?:^|[{,(])\s*(?:async\s+)?$/, /^\s*(?:\??:(?!:)|=(?!=|>))/],
  ['annotation', /(?:[\w$\])?]\s*:|->)\s*(?:readonly\s+|typeof\s+|keyof\s+)?[^=(){};]*$/, /^(?!\()/],
  ['type argument', /<[^<>=()]*$/, /^/],
  ['name in a string', /["'][^"']*$/, /^[^"']*["']/],
  ['call of a name', /^|[^.\w$]$/, /^\s*(?:<[^()]*>)?\(/],
  ['receiver: X.y', /^|[^.\w$]$/, /^[?!]?\.|^::/],
  ['class or value passed on or held', /[[(,=:]\s*$|\breturn\s+$/, /^\s*[,)\]};]|^\s*$/],
];

/** Shape of the name at columns of a line. */
export function shapeOf(line, column, endColumn) {
  const [before, after] = [line.slice(0, column), line.slice(endColumn)];
  return SHAPES.find(([, left, right]) => left.test(before) && right.test(after))?.[0] ?? 'other';
}

/** By the ending of paths: the first line of an import or of a list of exports, and the line that it ends with. */
const IMPORTS = [
  [/\.pyi?$/, /^\s*(?:from\s+\S+\s+)?import\b/, /^[^(]*[^(\\]$|\)/, /\)|^[^(,]*[^\\,(]$/],
  [/\.[cm]?[jt]sx?$/, /^\s*import\b(?!\s*[(.])/, /["']|;\s*$/, /["']|;\s*$/],
  [/\.[cm]?[jt]sx?$/, /^\s*export\s+(?:type\s+)?[{*]/, /\}|\*/, /\}/],
  [/\.rs$/, /^\s*(?:pub(?:\([^)]*\))?\s+)?use\b/, /;/, /;/],
];

/** Lines of imports and of lists of exports, 1-based: they name a symbol without using it. */
export function importLines(path, lines) {
  const rules = IMPORTS.filter(([ending]) => ending.test(path));
  const found = new Set();
  let end = null;
  for (const [i, line] of lines.entries()) {
    const rule = end === null ? rules.find(([, start]) => start.test(line)) : undefined;
    if (end === null && rule === undefined) continue;
    found.add(i + 1);
    if (rule !== undefined) end = rule[2].test(line) ? null : rule[3];
    else if (end.test(line)) end = null;
  }
  return found;
}
