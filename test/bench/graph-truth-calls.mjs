// Calls of some functions, against the references that the TypeScript language service finds.
import { join } from 'node:path';
import ts from 'typescript-api';
import { edgesOf, ourImports } from './graph-truth-imports.mjs';
import { Causes, createOptions, createRandom, createResolver, pathIn, SCRIPT } from './graph-truth-project.mjs';

export function judgeCalls(project, { functions, seed, under }) {
  const { graph, directory } = project;
  const inside = (path) => SCRIPT.test(path) && !path.endsWith('.d.ts') && path.startsWith(under);
  const service = createService(project, graph.tables.files.map(({ path }) => path).filter(inside));
  const context = { project, graph, service, inside, wrong: new Causes(), missed: new Causes(), aside: new Causes() };
  const counts = { functions: 0, right: 0, wrong: 0, found: 0, missed: 0, callers: 0 };
  for (const group of shuffled(functionsOf(graph, inside), createRandom(seed))) {
    if (counts.functions >= functions) break;
    const program = service.getProgram();
    const path = graph.path(group[0]);
    const source = program.getSourceFile(join(directory, path));
    const declaration = source === undefined ? null : findDeclaration(source, graph, group);
    if (declaration === null) {
      context.aside.add(
        'no declaration of that name there',
        `${path}:${graph.startLine(group[0])} ${graph.qualifiedName(group[0])}`,
      );
      continue;
    }
    counts.functions++;
    judgeFunction(context, { group, source, declaration }, counts);
  }
  return { counts, wrong: context.wrong, missed: context.missed, aside: context.aside };
}

function createService(project, paths) {
  const { directory } = project;
  const options = { ...createOptions(project)(join(directory, 'index.ts')), allowJs: true, noLib: false };
  const files = paths.map((path) => join(directory, path));
  const texts = new Map();
  const snapshot = (file) => {
    if (!texts.has(file)) {
      const text = ts.sys.readFile(file);
      texts.set(file, text === undefined ? undefined : ts.ScriptSnapshot.fromString(text));
    }
    return texts.get(file);
  };
  const resolve = createResolver(project);
  // An entry that isn't built is followed as we do: imports are judged apart, and calls need them.
  const resolved = ({ text }, file) => {
    const { target, module } = resolve(text, file);
    const [said] = target === null ? (ourImports(project.graph, pathIn(project, file) ?? '').get(text) ?? []) : [];
    if (said === undefined || !SCRIPT.test(said)) return { resolvedModule: module };
    const extension = /\.d\.[cm]?ts$|\.[cm]?[jt]sx?$/.exec(said)[0];
    return { resolvedModule: { resolvedFileName: join(directory, said), extension, isExternalLibraryImport: false } };
  };
  return ts.createLanguageService({
    resolveModuleNameLiterals: (names, file) => names.map((name) => resolved(name, file)),
    ...{ getCompilationSettings: () => options, getScriptFileNames: () => files, getScriptVersion: () => '1' },
    ...{ getScriptSnapshot: snapshot, getCurrentDirectory: () => directory },
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    ...{ fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory },
    ...{ directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories, realpath: ts.sys.realpath },
  });
}

/** Functions and methods; overloads are one. */
function functionsOf(graph, inside) {
  const groups = new Map();
  for (let node = 0; node < graph.nodeCount; node++) {
    if (!['function', 'method'].includes(graph.kind(node)) || !inside(graph.path(node))) continue;
    const key = `${graph.fileOf(node)} ${graph.qualifiedName(node)}`;
    groups.set(key, [...(groups.get(key) ?? []), node]);
  }
  return [...groups.values()];
}

function shuffled(list, random) {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

/** The compiler calls it `any`, mostly because types of packages are missing: nobody can say who is right. */
const UNKNOWN = 'unknown to the compiler';

/** `const { f } = await import('./f.js')`: the language service takes it for a variable of its own. */
const LOCAL_NAME = 'called by a local name';

const lineOf = (source, position) => source.getLineAndCharacterOfPosition(position).line + 1;

const NAMES = [ts.isIdentifier, ts.isPrivateIdentifier, ts.isStringLiteral];
const DECLARES = [
  ...[ts.isDeclarationStatement, ts.isClassElement, ts.isTypeElement, ts.isObjectLiteralElement],
  ...[ts.isVariableDeclaration, ts.isFunctionExpression],
];

/** The compiler's node that declares what our node stands for: its name, in its lines, nearest to its first. */
function findDeclaration(source, graph, [node]) {
  const [name, start, end] = [graph.name(node), graph.startLine(node), graph.endLine(node)];
  let best = null;
  const visit = (at) => {
    if (at.name !== undefined && NAMES.some((is) => is(at.name)) && DECLARES.some((is) => is(at))) {
      const line = lineOf(source, at.name.getStart(source));
      const text = at.name.text.replace(/^#/, '');
      if (text === name.replace(/^#/, '') && line >= start && line <= end && (best === null || line < best.line))
        best = { line, at };
    }
    ts.forEachChild(at, visit);
  };
  visit(source);
  return best?.at ?? null;
}

function judgeFunction(context, { group, source, declaration }, counts) {
  const { graph, wrong, missed, aside } = context;
  const name = graph.qualifiedName(group[0]);
  const target = `${graph.path(group[0])}:${graph.startLine(group[0])} ${name}`;
  const { sites, dispatched, others } = trueSites(context, source, declaration);
  const ours = ourSites(context, group);
  const near = (list, site) =>
    list.find(({ path, line }) => path === site.path && line >= site.line && line <= site.endLine);
  if (sites.length > 0) counts.callers++;
  for (const site of ours) {
    if (near(sites, site)) counts.right++;
    else if (near(dispatched, site))
      aside.add('called through a parent type', `${site.path}:${site.line} -> ${target}`);
    else if (near(others, site))
      aside.add('used there, but not as a plain call', `${site.path}:${site.line} -> ${target}`);
    else {
      const { cause, text } = explainWrong(context, site, { name: graph.name(group[0]), declaration });
      const isWrong = cause !== UNKNOWN && cause !== LOCAL_NAME;
      if (isWrong) counts.wrong++;
      (isWrong ? wrong : aside).add(
        `${site.tier}: ${cause}`,
        `${site.path}:${site.line} ${site.receiver}.${site.name} -> we say ${target}${text}`,
      );
    }
  }
  for (const site of sites) {
    if (ours.some((our) => near([site], our))) counts.found++;
    else {
      counts.missed++;
      const { cause, text } = explainMissed(context, site, graph.name(group[0]));
      missed.add(`${cause}${site.root}`, `${site.path}:${site.line} \`${site.text}\` -> ${target}${text}`);
    }
  }
}

/** Calls of exactly this declaration; calls that reach it through a parent type; uses that are no calls. */
function trueSites({ service, project, inside }, source, declaration) {
  const found = { sites: [], dispatched: [], others: [] };
  const program = service.getProgram();
  const checker = program.getTypeChecker();
  const references = service.findReferences(source.fileName, declaration.name.getStart(source)) ?? [];
  const seen = new Set();
  for (const { references: list } of references) {
    for (const { fileName, textSpan } of list) {
      const path = pathIn(project, fileName);
      const file = program.getSourceFile(fileName);
      const key = `${fileName} ${textSpan.start}`;
      if (path === null || file === undefined || seen.has(key) || !inside(path)) continue;
      seen.add(key);
      const name = nodeAt(file, textSpan.start);
      const site = { path, line: lineOf(file, textSpan.start), text: lineText(file, textSpan.start) };
      if (callOf(name) === null) found.others.push(site);
      else if (declares(checker, name, declaration)) found.sites.push({ ...site, root: rootOf(checker, name) });
      else found.dispatched.push(site);
    }
  }
  return found;
}

function nodeAt(file, position) {
  let node = file;
  for (;;) {
    const inner = ts.forEachChild(node, (child) =>
      child.getStart(file) <= position && position < child.end ? child : undefined,
    );
    if (inner === undefined) return node;
    node = inner;
  }
}

/** The call that a name is called by, `x()`, `a.x()`, `a?.x!()`, `new x()`; null for other uses. */
function callOf(name) {
  let node = name;
  const { parent: around } = node;
  if (around && ts.isPropertyAccessExpression(around) && around.name === node) node = around;
  while (node.parent && isWrapping(node.parent)) node = node.parent;
  const { parent } = node;
  const isCall = parent !== undefined && (ts.isCallExpression(parent) || ts.isNewExpression(parent));
  if (!isCall || parent.expression !== node || (parent.parent && ts.isDecorator(parent.parent))) return null;
  return parent;
}

const isWrapping = (node) =>
  ts.isParenthesizedExpression(node) || ts.isNonNullExpression(node) || ts.isAsExpression(node);

/** How the first name of a receiver is declared, which says what it takes to know its type. */
function rootOf(checker, name) {
  let node = name.parent;
  if (!ts.isPropertyAccessExpression(node) || node.name !== name) return '';
  while (node.expression !== undefined && !ts.isIdentifier(node)) node = node.expression;
  if (!ts.isIdentifier(node)) return '';
  const [declared] = checker.getSymbolAtLocation(node)?.declarations ?? [];
  if (declared === undefined) return '; root unknown';
  if (declared.type !== undefined) return `; root is a typed ${ts.isParameter(declared) ? 'parameter' : 'variable'}`;
  if (ts.isParameter(declared)) {
    const called = declared.parent.parent;
    const callee = ts.isCallExpression(called) ? called.expression : undefined;
    const method =
      callee !== undefined && ts.isPropertyAccessExpression(callee)
        ? `.${callee.name.text}`
        : (callee?.getText() ?? '?');
    return `; root is a parameter of a callback of ${method}`;
  }
  if (ts.isBindingElement(declared)) return '; root is destructured';
  if (ts.isVariableDeclaration(declared)) {
    if (ts.isForOfStatement(declared.parent.parent)) return '; root is a variable of for-of';
    const { initializer } = declared;
    return `; root is a variable = ${initializer === undefined ? 'nothing' : ts.SyntaxKind[initializer.kind]}`;
  }
  return `; root is ${ts.SyntaxKind[declared.kind]}`;
}

function symbolOf(checker, name) {
  const symbol = checker.getSymbolAtLocation(name);
  return symbol !== undefined && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function declares(checker, name, declaration) {
  const own = declaration.symbol?.declarations ?? [declaration];
  return (symbolOf(checker, name)?.declarations ?? []).some((each) => own.includes(each));
}

function lineText(file, position) {
  const { line } = file.getLineAndCharacterOfPosition(position);
  return file.text.split('\n')[line].trim().slice(0, 110);
}

function ourSites({ graph, inside }, group) {
  const found = new Map();
  for (const node of group) {
    for (const number of graph.incoming(node)) {
      const { from, kind, tier, startLine, endLine, name, receiver } = graph.edge(number);
      const path = graph.path(from);
      // JSX makes its components `new`: not compared.
      if (!(kind === 'call' || (kind === 'new' && !/x$/.test(path))) || !inside(path)) continue;
      found.set(`${path} ${startLine}`, { path, line: startLine, endLine, tier, name, receiver });
    }
  }
  return [...found.values()];
}

/** What the compiler says the name on those lines is. */
function explainWrong({ service, project }, site, { name, declaration }) {
  const own = declaration.symbol?.declarations ?? [declaration];
  const program = service.getProgram();
  const file = program.getSourceFile(join(project.directory, site.path));
  if (file === undefined) return { cause: 'not in the program', text: '' };
  const checker = program.getTypeChecker();
  const found = [];
  const visit = (node) => {
    if (
      (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) &&
      [name, site.name].includes(node.text) &&
      callOf(node) !== null
    ) {
      const line = lineOf(file, node.getStart(file));
      if (line >= site.line && line <= site.endLine) found.push(node);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  if (found.length === 0) return { cause: 'no call of that name there', text: '' };
  const signatures = found.map((node) => checker.getResolvedSignature(callOf(node))?.declaration);
  if (signatures.some((each) => own.includes(each) || own.includes(each?.parent)))
    return { cause: LOCAL_NAME, text: '' };
  const [declared] = found.flatMap((node) => symbolOf(checker, node)?.declarations ?? []);
  if (declared === undefined) return { cause: UNKNOWN, text: '' };
  const target = pathIn(project, declared.getSourceFile().fileName);
  const line = lineOf(declared.getSourceFile(), declared.getStart());
  return {
    cause: target === null ? 'it is outside' : 'another definition',
    text: `, the compiler ${target ?? 'a library'}:${line}`,
  };
}

/** What our graph holds at that place. */
function explainMissed({ graph }, site, name) {
  const near = edgesOf(graph, graph.findFile(site.path))
    .filter((number) => !graph.isFileEdge(number))
    .map((number) => graph.edge(number))
    .filter(({ startLine, endLine }) => startLine <= site.line && site.line <= endLine);
  const named = near.filter((edge) => edge.name === name);
  const edge = named.find(({ to }) => to < 0) ?? named[0];
  if (edge === undefined) {
    const others = near
      .filter(({ kind }) => kind === 'call')
      .map(({ receiver, name: other }) => `${receiver}.${other}`);
    return {
      cause: 'no call of that name was seen there',
      text: others.length > 0 ? ` (seen: ${others.slice(0, 3).join(' ')})` : '',
    };
  }
  const shape = shapeOf(edge.receiver);
  const elsewhere =
    edge.to < 0 ? '' : ` (we say ${graph.path(edge.to)}:${graph.startLine(edge.to)} ${graph.qualifiedName(edge.to)})`;
  return {
    cause: `${edge.to < 0 ? edge.tier : `led elsewhere by ${edge.tier}`}, receiver ${shape}`,
    text: `${elsewhere} receiver: ${edge.receiver || '-'}`,
  };
}

function shapeOf(receiver) {
  if (receiver === '') return 'none';
  if (receiver === '?') return '?';
  const first = /^(?:this|super)\b/.exec(receiver)?.[0] ?? 'name';
  const parts = receiver.split('.').length;
  return `${first}${parts > 2 ? '.a.b…' : parts === 2 ? '.a' : ''}${receiver.includes('()') ? ' with ()' : ''}${receiver.includes('[]') ? ' with []' : ''}`;
}
