/** Modules that a file declares for others: `declare module 'shop' { … }`, which says what a package without types has. */
import type { Context } from './context.js';
import { type ExpectedKinds, SPACES } from './kinds.js';
import { memberOf } from './members.js';
import { type NameResolution, type SymbolRef, symbolValue } from './values.js';

/** Declarations of one module that are looked at. */
const MAX_DECLARATIONS = 20;

/** Member of a module of that name, declared in the same package or in one around it; null if there is no such module. */
export function inAmbientModule(
  ctx: Context,
  specifier: string,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  if (!ctx.symbols.semantics(ctx.file).ambientModules) return null;
  for (const module of declarationsOf(ctx, specifier)) {
    const whole = wholeExport(ctx, module);
    if (name === '*' || name === '=') return { value: symbolValue(whole ?? module), tier: 'imported' };
    if (name === 'default' && whole !== null) return { value: symbolValue(whole), tier: 'imported' };
    const found =
      memberOf(ctx, module, name, expected) ?? (whole === null ? null : memberOf(ctx, whole, name, expected));
    if (found?.value?.is === 'symbol') return { value: found.value, tier: 'imported' };
  }
  return null;
}

function declarationsOf(ctx: Context, specifier: string): SymbolRef[] {
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.counted(ctx.symbols.definitions(specifier)).subarray(0, MAX_DECLARATIONS)) {
    const [file, symbol] = [nodes.fileOf(node), nodes.symbolOf(node)];
    if (!SPACES.has(nodes.kind(node)) || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    // The compiler of one package does not see what another package declares.
    if (!ctx.symbols.path(ctx.file).startsWith(packageFolder(ctx, file))) continue;
    ctx.recorder.note(file, specifier);
    if (ctx.symbols.symbol(file, symbol).container < 0) found.push({ file, symbol });
  }
  return found;
}

/** Definition that `export = cart` or `export default cart` in the module names: one of its own definitions, or one of the file. */
function wholeExport(ctx: Context, { file, symbol }: SymbolRef): SymbolRef | null {
  for (const name of ctx.symbols.namedInside(file, symbol)) {
    for (const holder of [symbol, -1]) {
      const found = ctx.symbols.childNamed(file, holder, name);
      if (found >= 0) return { file, symbol: found };
    }
  }
  return null;
}

/** The folder of the nearest package.json above a file, with a slash behind; '' for the top. */
function packageFolder(ctx: Context, file: number): string {
  let folder = ctx.symbols.path(file);
  do folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  while (folder !== '' && !ctx.symbols.snapshot.numbers.has(`${folder}package.json`));
  return folder;
}
