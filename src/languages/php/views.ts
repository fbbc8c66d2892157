/** Names in texts of PHP: templates of Blade and Twig, what code calls them, and functions, commands and classes that strings name. */
import { usesOf } from '../ecmascript/templates.js';
import { type ParsingRules, wordSet, words } from '../language.js';
import { headText } from '../roles/declarations.js';
import type { StatedName } from '../roles/definitions.js';
import { keyName } from '../roles/relation-facts.js';
import { type Call, elementsOf, type FactSink, type NodeView } from '../roles/relations.js';
import { html } from '../web/rules.js';
import { classOfTag, useClassAt, useView } from '../web/views.js';

const DIRECTIVES = wordSet(
  'include includeIf includeWhen includeUnless includeFirst extends extendsFirst component each',
);
/** `<x-cart.line>`, `<livewire:counter>` */
const COMPONENT = /<(x[-:]|livewire:)([\w.:-]{1,100})/g;

/** `@include('cart.line')`, `@each('line', $lines, 'line', 'empty')`, `@livewire('counter')`, `@inject('till', 'App\Till')`. */
export function directive({ view, list }: Call, sink: FactSink): boolean {
  const { source } = sink;
  const at = source.lastIndexOf('@', view.start);
  if (at === -1 || !/^@\w+[ \t]*$/.test(source.slice(at, view.start))) return false;
  const written = source.slice(at + 1, view.start).trim();
  if (DIRECTIVES.has(written)) {
    for (const [text, start] of stringsIn(view.start, view.end, sink).slice(
      0,
      written.endsWith('First') ? 5 : written === 'each' ? 4 : 1,
    ))
      useView(start, start + text.length, text, sink);
  } else if (written === 'livewire' && list.literal !== '') livewire(view.start + 2, list.literal, sink);
  else if (written === 'inject') {
    const [name, type] = stringsIn(view.start, view.end, sink);
    if (type !== undefined) sink.local(view.start, name[0], type[0], '');
  }
  return true;
}

/** Strings that are arguments, in the order of the text, and those in lists of them. */
function stringsIn(start: number, end: number, sink: FactSink): [text: string, at: number][] {
  return elementsOf(start + 1, end - 1, sink).flatMap(({ start: at, end: until }): [string, number][] =>
    [
      ...headText(sink.source, at, until, MAX_LIST).matchAll(
        /^(['"])([\w./:@-]{1,150})\1$|(?<=^\[[^\]]*)(['"])([\w./:@-]{1,150})\3/g,
      ),
    ].map((match) => [match[2] ?? match[4], at + match.index + 1]),
  );
}

const MAX_LIST = 400;
const pathOf = (tag: string): string =>
  tag
    .replace(/^[\w-]*::/, '')
    .split('.')
    .map(classOfTag)
    .join('/');

function livewire(at: number, name: string, sink: FactSink): void {
  useClassAt(at, at + name.length, `Livewire/${pathOf(name)}`, sink);
  useView(at, at + 1, `livewire.${name}`, sink);
}

export function components(sink: FactSink): void {
  for (const { 0: whole, 1: kind, 2: tag, index } of sink.source.matchAll(COMPONENT)) {
    const at = index + whole.length - tag.length;
    if (kind.startsWith('livewire')) livewire(at, tag, sink);
    else if (tag !== 'slot' && !tag.startsWith('slot:')) {
      useClassAt(at, at + tag.length, `View/Components/${pathOf(tag)}`, sink);
      useView(at - 1, at + tag.length, `components.${tag.replace(/^[\w-]*::/, '')}`, sink);
    }
  }
}

// Twig

const MARK = /\{%-?([\s\S]{0,2000}?)%\}|\{\{([\s\S]{0,2000}?)\}\}/g;
const LOADS = /\b(?:extends|include|embed|import|from|use|form_theme|source|block)\b/;
const STRING = /(['"])([^'"\n]{1,150})\1/g;
const FILE = /\.(?:twig|html?|xml|txt|j2|jinja2?|njk|liquid|md|css|js|json)$/;
const STATEMENT = /^\s*(\w+)\s?/;
/** Words and functions of the language itself. */
const WORDS = wordSet(
  `and or not in is if else elseif endif for endfor set endset block endblock extends include embed import from as with only macro endmacro
   true false null none loop self _self _context app parent include source dump date max min range random cycle constant attribute
   template_from_string path url asset form_start form_end form_row form_widget form_label form_errors form_rest is_granted csrf_token`,
);

/** States the templates that one loads, and the functions and filters of extensions that it uses. */
function twigText(sink: FactSink): void {
  for (const match of sink.source.matchAll(MARK)) {
    const code = match[1] ?? match[2];
    const from = match.index + match[0].indexOf(code, 2);
    const loads = LOADS.test(code);
    for (const { 2: text, index } of code.matchAll(STRING))
      if (loads ? FILE.test(text) : text.endsWith('.twig'))
        useView(from + index + 1, from + index + 1 + text.length, text, sink);
    const route = /\b(?:path|url)\(\s*(['"])([\w.-]{1,100})\1/.exec(code);
    if (route !== null) useRoute(from + route.index, from + route.index + 4, route[2], sink);
    const word = match[1] === undefined ? '' : (STATEMENT.exec(code)?.[0] ?? '');
    const uses = usesOf(
      code.slice(word.length),
      from + word.length,
      (name) => (WORDS.has(name) ? null : name),
      (name, at) => sink.reference(at, at + name.length, 'call', `|${name}`),
    );
    for (const { at, end, kind, path } of uses) {
      if (kind !== 'call') continue;
      if (path.includes('.')) sink.reference(at, end, 'call', path);
      else sink.reference(at, end, 'call', `|${path}`);
    }
  }
}

export const twig: ParsingRules = {
  definitions: { ...(html.definitions as NonNullable<ParsingRules['definitions']>), definitions: [] },
  relations: {
    lexical: { joins: [], quotes: '"\'', lineComments: [], blockComment: ['{#', '#}'] },
    nodes: {},
    text: twigText,
  },
};

/** Filters, functions and tests of an extension of Twig: group 2 is the name in templates, groups 4 and 5 are the method. */
const MADE_FOR_TWIG =
  /\bnew\s+\\?(?:[\w\\]+\\)?(?:Twig_?(?:Simple)?(?:Filter|Function|Test))\s*\(\s*(['"])(\w{1,60})\1\s*(?:,\s*\[\s*\$this\s*,\s*(['"])(\w{1,80})\3|,\s*\$this->(\w{1,80})\(\.\.\.\))?/g;
/** Such a name above a method. */
const MARKED_FOR_TWIG = /#\[\s*\\?(?:\w+\\)*AsTwig(?:Filter|Function|Test)\(\s*(?:name:\s*)?(['"])(\w{1,60})\1/g;

/**
 * Names, beside their own, by which other texts mean definitions of a file: keys of a container, repositories of entities, commands, and
 * for templates `new TwigFilter('price', [$this, 'format'])` and `#[AsTwigFilter('price')]`.
 */
export function namesInTexts(text: string): StatedName[] {
  const found: StatedName[] = [...boundKeys(text), ...repositories(text)].map(({ name, at }) => ({ name, at }));
  // The first method of the file that runs a command gets the name.
  for (const { 2: name } of text.matchAll(COMMAND)) {
    const at = text.search(/\bfunction\s+(?:handle|execute|__invoke)\s*\(/);
    if (at !== -1) found.push({ name: commandName(name), at });
  }
  if (!text.includes('Twig')) return found;
  for (const { 2: name, 4: listed, 5: called, index } of text.matchAll(MADE_FOR_TWIG)) {
    const method = listed ?? called;
    const at = method === undefined ? -1 : text.search(new RegExp(`\\bfunction\\s+&?${method}\\s*\\(`));
    found.push({ name: `|${name}`, at: at === -1 ? index : at });
  }
  for (const { 2: name, index } of text.matchAll(MARKED_FOR_TWIG)) found.push({ name: `|${name}`, at: index });
  return found;
}

// Names of templates and routes in code

const BY_NAME = wordSet(
  'view markdown renderView renderForm renderBlock renderBlockView htmlTemplate textTemplate renderWhen renderUnless',
);
const BY_ROUTE = wordSet('route to_route signedRoute generateUrl redirectToRoute');
/** The file of a template, which an argument of any call names. */
const TEMPLATE_FILE = /(['"])([\w@!:/.-]{1,140}\.(?:twig|blade\.php|latte|phtml|tpl))\1/g;
/** `new Content(view: 'mails.open')` */
const NAMED_VIEW = /(?<![\w$])(?:view|markdown|html|text)\s*:\s*(['"])([\w./:-]{1,140})\1/g;

const isView = (name: string, receiver: string): boolean =>
  BY_NAME.has(name) || (/^(?:make|first|exists)$/.test(name) && /(?:^|\.)[Vv]iew(?:\(\))?$/.test(receiver));

/** States the templates and the route that the arguments of a call name. */
export function namedByArguments({ name, receiver, list, view, callee }: Call, sink: FactSink): void {
  const { start } = view;
  const written = headText(sink.source, start, view.end, MAX_LIST);
  const use = (at: number, text: string) => useView(start + at, start + at + text.length, text, sink);
  for (const match of written.matchAll(TEMPLATE_FILE)) use(match.index + 1, match[2]);
  if (list.literal !== '' && BY_ROUTE.has(name)) useRoute(start, start + 1, list.literal, sink);
  if (isView(name, receiver) && list.literal.search(TEMPLATE_FILE) < 0) {
    const which = name === 'view' && receiver.endsWith('Route') ? 1 : 0;
    const [text, at] = stringsIn(view.start, view.end, sink)[which] ?? ['', 0];
    if (text !== '' && !text.endsWith('.twig')) use(at - start, text);
  } else if (callee.isNew && name === 'Content')
    for (const match of written.matchAll(NAMED_VIEW))
      use(match.index + match[0].length - 1 - match[2].length, match[2]);
}

/** A use of the route of that name, as a request that only a route of that name answers. */
export function useRoute(at: number, end: number, name: string, sink: FactSink): void {
  sink.reference(at, end, 'request', 'NAME', { literal: `NAME /${name}` });
}

// Keys of a container: `$this->app->singleton('cart', fn () => new Cart())`, `app('cart')`

const BOUND =
  /->(?:bind|bindIf|singleton|singletonIf|scoped|instance)\(\s*(['"])([\w.:-]{1,80})\1\s*,\s*(?:(?:static\s+)?(?:fn|function)\s*\([^()]{0,100}\)[^;{}]{0,80}?(?:=>|\{)\s*(?:return\s+)?)?(?:new\s+\\?([\w\\]+)|\\?([\w\\]+)::class)|->alias\(\s*\\?([\w\\]+)::class\s*,\s*(['"])([\w.:-]{1,80})\6/g;

/** Functions and methods of a container that give an instance of the class which they are asked for. */
const CONTAINER = /(?:^|\.)(?:app|resolve)$|(?:\bapp|App|[Cc]ontainer)(?:\(\))?\.(?:make|makeWith|get)$|^this\.get$/;
const ASKED = /^\(\s*\\?((?:\w+\\)*\w+)::class\s*[,)]/;
const MAX_ASKED = 150;
const ASKED_KEY = /^\(\s*(['"])([\w.:-]{1,80})\1\s*[,)]/;

/** The class that a container is asked for, or the name of its key, or of an entity's repository; '' for other calls. */
export function askedClass(accessPath: string, { start, end }: NodeView, { source }: FactSink): string {
  const isRepository = accessPath.endsWith('.getRepository');
  if (!isRepository && !CONTAINER.test(accessPath)) return '';
  const written = headText(source, start, end, MAX_ASKED);
  if (isRepository) {
    const entity = ASKED.exec(written)?.[1].replace(/^.*\\/, '') ?? '';
    return entity === '' ? '' : repositoryName(entity);
  }
  const key = ASKED_KEY.exec(written)?.[2];
  // A method of that name may be anything, and services have names with a dot.
  if (accessPath === 'this.get' && key?.includes('.') === false) return '';
  return key === undefined ? globalName(ASKED.exec(written)?.[1] ?? '') : keyName(key);
}

/** Keys under which a container is given classes, with the class of each. */
function* boundKeys(text: string): Generator<{ name: string; type: string; at: number }> {
  if (!/->(?:bind|singleton|scoped|instance|alias)/.test(text)) return;
  for (const { 2: key, 3: made, 4: named, 5: aliased, 7: alias, index } of text.matchAll(BOUND))
    yield { name: keyName(key ?? alias), type: (made ?? named ?? aliased).replaceAll('\\', '.'), at: index };
}

/** States the class of each key. */
export function containerKeys(sink: FactSink): void {
  for (const { name, type, at } of boundKeys(sink.source)) sink.alias(at, name, '', `new ${type}()`);
  for (const { name, type, at } of repositories(sink.source)) sink.alias(at, name, '', `new ${type}()`);
}

// Repositories of Doctrine and commands: `$manager->getRepository(Cart::class)`, `Artisan::call('mail:send')`

const REPOSITORY =
  /\brepositoryClass\s*[:=]\s*(?:\\?((?:\w+\\)*\w+)::class|"\\?((?:\w+\\)*\w+)")[^;]{0,1500}?\n(?:(?:final|abstract|readonly) ){0,2}class (\w+)/g;

/** Name by which code means the repository of an entity. */
export const repositoryName = (entity: string): string => `|repository_${entity}`;

/** Entities that state the class of their repository, in an attribute or a comment. */
function* repositories(text: string): Generator<{ name: string; type: string; at: number }> {
  if (!text.includes('repositoryClass')) return;
  for (const { 0: whole, 1: named, 2: quoted, 3: entity, index } of text.matchAll(REPOSITORY)) {
    const at = index + whole.length - entity.length;
    yield { name: repositoryName(entity), type: (named ?? quoted).replaceAll('\\', '.'), at };
  }
}

const COMMAND =
  /(?:\$(?:signature|defaultName)\s*=\s*|#\[\s*(?:\w+\\)*AsCommand\(\s*(?:name:\s*)?|->setName\(\s*)(['"])([\w:.-]{1,80})/g;
const commandName = (name: string): string => `|command_${name.replace(/\W/g, '_')}`;
const RUNS = wordSet('call callSilent callSilently queue artisan command find');

/** A call that runs a command by its name: that of Artisan may be any, others have a colon. */
export function runsCommand({ name, receiver, list, view }: Call, sink: FactSink): void {
  if (!RUNS.has(name) || list.literal === '') return;
  const written = /^[\w:.-]{1,80}(?=\s|$)/.exec(list.literal)?.[0] ?? '';
  if (written.includes(':') || (written !== '' && receiver === 'Artisan'))
    sink.reference(view.start, view.start + 1, 'call', commandName(written));
}

// Functions and methods that strings name

/** Functions that are given one by its name, with the place of that argument. */
const GIVEN_AT: ReadonlyMap<string, number> = new Map([
  ...words(
    `array_map call_user_func call_user_func_array forward_static_call register_shutdown_function set_error_handler
     set_exception_handler spl_autoload_register ob_start header_register_callback`,
  ).map((name): [string, number] => [name, 0]),
  ...words(
    `usort uasort uksort array_filter array_walk array_walk_recursive array_reduce preg_replace_callback iterator_apply
     add_action add_filter add_shortcode register_activation_hook register_deactivation_hook`,
  ).map((name): [string, number] => [name, 1]),
]);
const FUNCTION_NAME = /^(['"])\\{0,2}((?:\w{1,80}\\{1,2}){0,12}\w{1,80})\1$/;

/** `array_map('total', $carts)` passes a function on. */
export function namedFunction({ name, receiver, view }: Call, sink: FactSink): void {
  const index = receiver === '' ? GIVEN_AT.get(name) : undefined;
  if (index === undefined) return;
  const given = elementsOf(view.start + 1, view.end - 1, sink)[index];
  if (given === undefined || given.end - given.start > MAX_LIST) return;
  const written = FUNCTION_NAME.exec(sink.source.slice(given.start, given.end))?.[2];
  if (written !== undefined) sink.reference(given.start, given.end, 'read', written.replace(/\\+/g, '.'));
}

/** A string that is the whole name of a method: `'App\Cart::total'`. */
const METHOD_NAME = /(['"])\\{0,2}((?:\w{1,80}\\{1,2}){0,12}[A-Z]\w{0,80})::([a-z_]\w{0,80})\1/g;

export function namedMethods(sink: FactSink): void {
  if (!sink.source.includes('::')) return;
  for (const { 0: whole, 2: type, 3: name, index } of sink.source.matchAll(METHOD_NAME)) {
    const at = index + whole.length - 1 - name.length;
    sink.reference(at, at + name.length, 'read', `${type.replace(/\\+/g, '.')}.${name}`);
  }
}

const LISTED = /(?:=>|[[,])\s*(['"])(\w{1,80})\1(?!\s*=>)/g;

/** A key of such a list: a class, or a constant. */
const LISTED_UNDER = /(\w+)::(\w+)\s*=>/g;

/** Own methods that a text names in lists and as values, with the key above each: listeners of `getSubscribedEvents`. */
export function listedMethods(from: number, to: number, sink: FactSink): void {
  const text = headText(sink.source, from, to, 4_000);
  const keys = [...text.matchAll(LISTED_UNDER)].map(({ 1: type, 2: part, index }) => ({ index, type, part }));
  for (const { 0: whole, 2: name, index } of text.matchAll(LISTED)) {
    const at = from + index + whole.length - 1 - name.length;
    while (keys.length > 1 && keys[1].index < index + whole.length) keys.shift();
    const [key] = keys;
    const under =
      key === undefined || key.index > index + whole.length ? '' : key.part === 'class' ? key.type : key.part;
    sink.reference(at, at + name.length, 'read', `this.${name}`, { literal: under });
  }
}

/** A name with the dots of the graph, without the separator of the global namespace: `\Shop\Cart`. */
export function globalName(written: string): string {
  return written.replace(/^\\/, '').replace(/\\/g, '.');
}
