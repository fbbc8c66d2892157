/** Elements in scripts: `<Cart tax={2}/>`. */
import type { FactSink, NodeRule } from '../roles/relations.js';
import { skipSpace, skipString } from '../roles/scan.js';

const ELEMENT = /<\/?\s*([\p{L}_$][\p{L}\p{N}_$.]*)/uy;

/** `<Cart/>` makes a Cart; elements in lower case are the page's own. */
export const element: NodeRule = ({ start, end }, sink) => {
  ELEMENT.lastIndex = start;
  const match = ELEMENT.exec(sink.source);
  if (match === null) return;
  const [all, name] = match;
  if (!isComponent(name)) {
    sink.declared(start + all.length - name.length);
    attributes(start + all.length, end, '', sink);
    return;
  }
  const at = start + all.length - (name.length - name.lastIndexOf('.') - 1);
  sink.reference(at, end, 'new', name);
  attributes(start + all.length, end, name, sink);
};

/** `</body>` means no import of that name. */
export const closingElement: NodeRule = ({ start }, sink) => {
  ELEMENT.lastIndex = start;
  const match = ELEMENT.exec(sink.source);
  if (match !== null && !isComponent(match[1])) sink.declared(start + match[0].length - match[1].length);
};

const isComponent = (name: string): boolean => /^\p{Lu}|[._$]/u.test(name);

const ATTRIBUTE = /([A-Za-z_$][\w$]*)\s*(?=[\s=/>])(?:=\s*)?/y;
/** Attributes of one element. */
const MAX_ATTRIBUTES = 100;

/** `<Cart tax={2}/>` writes `tax` of the first parameter of `Cart`; attributes of the page's own elements are nobody's. */
function attributes(from: number, end: number, component: string, sink: FactSink): void {
  const { source, rules } = sink;
  let at = from;
  for (let count = 0; count < MAX_ATTRIBUTES && at < end; count++) {
    at = skipSpace(source, at, end, rules.lexical);
    ATTRIBUTE.lastIndex = at;
    const match = ATTRIBUTE.exec(source);
    if (match !== null) {
      if (component === '') sink.declared(at);
      else sink.reference(at, at + match[1].length, 'write', `${component}(0).${match[1]}`);
      at += match[0].length;
    }
    const value = source[at] === '{' ? sink.closing(at, end) : skipString(source, at, end, `"'`);
    if (value === at && match === null) return;
    at = value;
  }
}
