/** Type arguments: what the names of type parameters stand for. */
import { splitBound } from '../../languages/roles/type-bounds.js';
import type { Context } from './context.js';
import { parseType } from './type-text.js';
import type { BoundType, SymbolRef, TypeArguments } from './values.js';

/** Usual names of type parameters, where the facts do not tell which names are type parameters. */
export const PARAMETER = /^(?:[A-Z]|T[A-Z]\w*)$/;

/** Replaces type parameters by their arguments. Without known names, only a single argument tells what it belongs to. */
export function bind(type: BoundType, args: TypeArguments): BoundType {
  const inside = <T extends BoundType>(part: T): never => bind(part, args) as never;
  switch (type.is) {
    case 'list':
      return { is: 'list', element: inside(type.element) };
    case 'several':
      return { is: 'several', parts: type.parts.map(inside) };
    case 'tuple':
      return { is: 'tuple', items: type.items.map(inside) };
    case 'function':
      return { is: 'function', result: inside(type.result), parameters: type.parameters.map(inside) };
    case 'object': {
      const members = type.members.map(([name, part]) => [name, inside(part)] as const);
      return { is: 'object', members, ...(type.index === undefined ? {} : { index: inside(type.index) }) };
    }
    case 'mapped':
      return { ...type, of: inside(type.of), value: inside(type.value) };
    case 'member':
      return { is: 'member', of: inside(type.of), index: inside(type.index) };
    case 'conditional': {
      const parts = [inside(type.parts[0]), inside(type.parts[1])] as const;
      return { ...type, check: inside(type.check), pattern: inside(type.pattern), parts };
    }
    case 'named':
      return boundName(type, args, inside);
    default:
      return type;
  }
}

function boundName(
  type: BoundType & { is: 'named' },
  args: TypeArguments,
  inside: (part: BoundType) => never,
): BoundType {
  if (type.args.length > 0) return { ...type, args: type.args.map(inside) };
  const bound = args.list[argumentOf(type.head, args)];
  if (bound === undefined) return type;
  return bound.is === 'known' ? bound : { is: 'elsewhere', file: args.file, scope: args.scope, type: bound };
}

function argumentOf(head: string, { list, names = [] }: TypeArguments): number {
  if (names.length > 0) return names.indexOf(head);
  return list.length === 1 && PARAMETER.test(head) ? 0 : -1;
}

/** Arguments with the names of the type parameters that they stand for, and with defaults for those that are left out. */
export function named(
  ctx: Context,
  { file, symbol }: SymbolRef,
  args: TypeArguments | undefined,
): TypeArguments | undefined {
  if (args?.names !== undefined) return args;
  const parameters = ctx.symbols.typeParameters(file, symbol);
  // Some languages state only the parameters that have a bound.
  if (args !== undefined && args.list.length > parameters.length) return args;
  if (parameters.length === 0) return args;
  const list: BoundType[] = [...(args?.list ?? [])];
  const { readType } = ctx.symbols.semantics(file);
  for (const { type } of parameters.slice(list.length)) {
    const usual = parseType(splitBound(type).usual, readType);
    if (usual === null) break;
    list.push({ is: 'elsewhere', file, scope: symbol, type: usual });
  }
  if (list.length === 0) return args;
  const names = parameters.slice(0, list.length).map(({ name }) => name.slice(1, -1));
  return { file: args?.file ?? file, scope: args?.scope ?? symbol, list, names };
}

/** Both, where the second is about other names. */
export function united(first: TypeArguments | undefined, second: TypeArguments | undefined): TypeArguments | undefined {
  if (first === undefined || second === undefined) return first ?? second;
  const whole = ({ file, scope, list }: TypeArguments): BoundType[] =>
    list.map((type) =>
      type.is === 'known' || type.is === 'elsewhere' ? type : { is: 'elsewhere', file, scope, type },
    );
  const names = [...(second.names ?? []), ...(first.names ?? [])];
  return { ...second, list: [...whole(second), ...whole(first)], names };
}
