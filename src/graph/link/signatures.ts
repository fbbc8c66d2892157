/**
 * Signatures of a file's names: everything that other files can learn about each name, as text. If a signature is the
 * same after a change, files that looked up the name need no linking. It contains neither lines nor an order of
 * different names.
 */

import { isOwned } from './enclosing.js';
import { type FileIndex, INSTANCE, isParameter, isTypeParameter, RESULT } from './file-index.js';
import { monikerName, WILDCARDS } from './recorder.js';

/** Computes the signature of each name. `resolution` describes the resolution of an import as text. */
export function signaturesOf(index: FileIndex, resolution: (at: number) => string): Map<string, string> {
  const found = new Map<string, string[]>();
  const add = (name: string, ...parts: (string | number)[]): void => {
    const list = found.get(name);
    const text = JSON.stringify(parts);
    if (list === undefined) found.set(name, [text]);
    else list.push(text);
  };
  const places = placesOf(index);
  const place = (symbol: number): string => (symbol < 0 ? '' : places[symbol]);
  index.symbols.forEach(({ name, kind, container, exported }, i) => {
    add(name, 's', places[i], kind, exported ? 1 : 0, container < 0 ? '' : index.symbols[container].kind);
  });
  index.monikers?.forEach((moniker, i) => {
    if (moniker !== 0) add(monikerName(moniker), 'm', places[i]);
  });
  const { imports, exports, bindings } = index.facts.relations;
  for (const { scope, name, type, value } of bindings) {
    const isGiven = name.startsWith('{');
    const special = scope >= 0 && (isGiven || isOfSymbol(name));
    add(special ? index.symbols[scope].name : name, 'b', place(scope), name, type, value);
    const holder = scope < 0 ? -1 : index.symbols[scope].container;
    if (isGiven && holder >= 0) add(index.symbols[holder].name, 'g', place(scope), name, type, value);
  }
  for (const { name, local } of exports) add(name, 'e', local);
  imports.forEach(({ kind, specifier, names, symbol }, at) => {
    if (kind === 'declare') return;
    const common = [kind, specifier, place(symbol), resolution(at)];
    if (names.length === 0) add(WILDCARDS, 'i', ...common);
    for (const { name, alias } of names) add(alias === '' ? WILDCARDS : alias, 'i', name, ...common);
  });
  for (const [symbol, references] of index.inheriting()) {
    for (const { kind, receiver, name } of references) {
      add(index.symbols[symbol].name, 'h', place(symbol), kind, receiver, name);
    }
  }
  for (const [symbol, names] of index.decorated()) {
    if (symbol >= 0) add(index.symbols[symbol].name, '@', place(symbol), ...names);
  }
  for (const [module, names] of index.naming()) add(index.symbols[module].name, '=', place(module), ...names);
  return new Map(Array.from(found, ([name, parts]) => [name, parts.join('\n')]));
}

/** Does a binding tell something about its symbol, and not about a name in it? */
function isOfSymbol(name: string): boolean {
  return name === RESULT || name === INSTANCE || isParameter(name) || isTypeParameter(name);
}

/**
 * Identifies each symbol by its containers, its name and its number among symbols of that name, independent of lines.
 */
function placesOf({ symbols }: FileIndex): string[] {
  const seen = new Map<string, number>();
  const places: string[] = [];
  symbols.forEach((symbol, i) => {
    const { name, container } = symbol;
    const count = seen.get(name) ?? 0;
    seen.set(name, count + 1);
    const owned = container >= 0 && isOwned(symbols[container], symbol);
    const outer = container < 0 ? '' : digest(`${places[container]} ${symbols[container].kind}`);
    places[i] = `${outer}${owned ? '!' : '/'}${name}#${count}`;
  });
  return places;
}

/** Digests text to 53 bits, so that the places of deeply nested symbols in hostile input stay short. */
export function digest(text: string): string {
  let a = 0xdeadbeef;
  let b = 0x41c6ce57;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
  return ((b >>> 0) * 0x200000 + ((a >>> 0) & 0x1fffff)).toString(36);
}
