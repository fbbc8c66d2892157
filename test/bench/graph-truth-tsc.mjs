// A second opinion on TypeScript: scip-typescript leaves out keys of literals whose type may be undefined (`total({ tax: 2 })` for
// an optional parameter) and shorthand properties. The compiler's language service knows what they are.
import { extname, join } from 'node:path';
import ts from 'typescript-api';
import { createOptions, createResolver, pathIn, SCRIPT, sourcesOf } from './graph-truth-project.mjs';

/** `confirms(use, definition)`: does a name on the lines of the use lead to the definition? */
export function openLanguageService(project) {
  const { directory } = project;
  const files = [...project.paths].filter((path) => SCRIPT.test(path)).map((path) => join(directory, path));
  const resolve = createResolver(project);
  const sources = sourcesOf(directory, project.packages);
  const moduleOf = (name, file) => {
    const { target, module } = resolve(name, file);
    const source = target === null ? sources[name]?.[0] : undefined;
    return source === undefined ? module : { resolvedFileName: source, extension: extname(source) };
  };
  const options = { ...createOptions(project)(join(directory, 'index.ts')), allowJs: true, noLib: false };
  const texts = new Map();
  const snapshot = (file) => {
    if (!texts.has(file)) {
      const text = ts.sys.readFile(file);
      texts.set(file, text === undefined ? undefined : ts.ScriptSnapshot.fromString(text));
    }
    return texts.get(file);
  };
  const service = ts.createLanguageService({
    resolveModuleNameLiterals: (names, file) => names.map(({ text }) => ({ resolvedModule: moduleOf(text, file) })),
    ...{ getCompilationSettings: () => options, getScriptFileNames: () => files, getScriptVersion: () => '1' },
    ...{ getScriptSnapshot: snapshot, getCurrentDirectory: () => directory },
    getDefaultLibFileName: (settings) => ts.getDefaultLibFilePath(settings),
    ...{ fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory },
    ...{ directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories, realpath: ts.sys.realpath },
  });
  const definitionsAt = (file, at) => service.getDefinitionAtPosition(file, at) ?? [];
  const confirms = ({ path, line, endLine }, { path: target, line: targetLine, name }) => {
    const source = service.getProgram().getSourceFile(join(directory, path));
    if (source === undefined) return false;
    const starts = source.getLineStarts();
    const from = starts[line - 1];
    const text = source.text.slice(from, starts[endLine] ?? source.text.length);
    for (const match of text.matchAll(new RegExp(`(?<![\\w$])${name.replace(/\$/g, '\\$&')}(?![\\w$])`, 'g'))) {
      const found = definitionsAt(source.fileName, from + match.index);
      // `{ onlineManager }` leads to the import of the name, which leads on.
      const imported = found.filter((one) => one.fileName === source.fileName && one.textSpan.start < from);
      const all = [...found, ...imported.flatMap((one) => definitionsAt(one.fileName, one.textSpan.start))];
      const leads = all.some(({ fileName, textSpan }) => {
        const other = service.getProgram().getSourceFile(fileName);
        const at = other?.getLineAndCharacterOfPosition(textSpan.start).line;
        return pathIn(project, fileName) === target && at === targetLine - 1;
      });
      if (leads) return true;
    }
    return false;
  };
  return { confirms };
}
