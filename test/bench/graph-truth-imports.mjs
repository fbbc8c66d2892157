// Every import of every script, against the compiler's own module resolution.
import { join } from 'node:path';
import ts from 'typescript-api';
import { Causes, createResolver, SCRIPT } from './graph-truth-project.mjs';

export function judgeImports(project) {
  const { directory, graph } = project;
  const [wrong, missed, unjudged] = [new Causes(), new Causes(), new Causes()];
  const counts = { right: 0, wrong: 0, missed: 0, external: 0 };
  const resolve = createResolver(project);
  for (const { path } of graph.tables.files) {
    if (!SCRIPT.test(path)) continue;
    const text = ts.sys.readFile(join(directory, path)) ?? '';
    const ours = ourImports(graph, path);
    for (const { specifier, line } of specifiersOf(text)) {
      const said = ours.get(specifier) ?? [];
      const at = `${path}:${line} '${specifier}'`;
      const { target, module } = resolve(specifier, join(directory, path));
      const silence = target === null ? whySilent(project, specifier, said, module) : null;
      if (target === null && said.length === 0) counts.external++;
      else if (silence !== null) unjudged.add(silence, `${at}: we say ${said.join(', ')}`);
      else if (target === null) {
        counts.wrong++;
        wrong.add('leads nowhere for the compiler', `${at}: we say ${said.join(', ')}`);
      } else if (said.some((other) => isSame(target, other))) counts.right++;
      else if (said.length > 0) {
        counts.wrong++;
        counts.missed++;
        wrong.add('another file', `${at}: we say ${said.join(', ')}, the compiler ${target}`);
      } else if (graph.findFile(target) < 0) unjudged.add('leads to a file that is not indexed', `${at}: ${target}`);
      else {
        counts.missed++;
        missed.add(causeOf(graph, path, specifier), `${at}: the compiler says ${target}`);
      }
      ours.delete(specifier);
    }
    for (const [specifier, said] of ours)
      if (said.length > 0)
        unjudged.add('an import that the compiler does not list', `${path} '${specifier}': ${said.join(', ')}`);
  }
  return { counts, wrong, missed, unjudged };
}

/** Specifiers of a text, each once, with the line of the first. */
function specifiersOf(text) {
  const found = new Map();
  const { importedFiles } = ts.preProcessFile(text, true, true);
  for (const { fileName, pos } of importedFiles)
    if (fileName !== '' && !found.has(fileName)) found.set(fileName, text.slice(0, pos).split('\n').length);
  return [...found].map(([specifier, line]) => ({ specifier, line }));
}

/** Files that our edges lead to, by specifier. */
export function ourImports(graph, path) {
  const found = new Map();
  const file = graph.findFile(path);
  for (const edge of file < 0 ? [] : edgesOf(graph, file)) {
    if (!graph.isFileEdge(edge)) continue;
    const { name, to } = graph.edge(edge);
    const list = found.get(name) ?? [];
    found.set(name, list);
    if (to >= 0) list.push(graph.path(to));
  }
  return found;
}

export function edgesOf(graph, file) {
  const { nodeBase, edgeBase } = graph.tables;
  const [start, end] = [edgeBase[nodeBase[file]], edgeBase[nodeBase[file + 1]]];
  return Array.from({ length: end - start }, (_, i) => start + i);
}

/** A declaration file speaks for the script beside it. */
function isSame(target, said) {
  const plain = (path) => path.replace(/\.d\.([cm]?)ts$/, '.$1js').replace(/\.d\.(\w+)\.ts$/, '.$1');
  return target === said || plain(target) === plain(said);
}

/** Why it means nothing that the compiler finds no file, null where it does. */
function whySilent({ packages }, specifier, said, module) {
  const name = specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
  if (said.every((path) => !SCRIPT.test(path))) return 'no script: the compiler leaves it to bundlers';
  if (packages.has(name)) return "a package of the repository whose entry isn't built";
  if (module !== undefined) return 'an installed package';
  return /[?#!]/.test(specifier) ? 'a query for bundlers' : null;
}

function causeOf(graph, path, specifier) {
  for (const edge of edgesOf(graph, graph.findFile(path))) {
    const { name, tier, kind } = graph.edge(edge);
    if (graph.isFileEdge(edge) && name === specifier) return `${kind}: ${tier}`;
  }
  return 'not seen';
}
