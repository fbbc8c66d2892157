/**
 * Declarations of parameters: each is written once, and the command line, the tools of agents, `--stdin` lines, settings,
 * completion, man pages and the reference in docs are made from it. Loads next to nothing, since declarations are read at every
 * start.
 */
import { groupDigits, shellWord } from '../base/printable.js';

/** Kinds of values that completion can offer. */
export type Completes = 'ref' | 'range' | 'path' | 'language' | 'symbol' | 'remote' | 'directory';

/** How a parameter is written on the command line. */
export interface CommandLineForm {
  /** Argument that replaces the option: `[target]`, `<file>`, `<refs...>`. */
  argument?: string;
  /** Name of the option; default: the parameter's in kebab case. */
  option?: string;
  /** The short option: `-i`. */
  short?: string;
  /** Value shown in help: `n` for `--depth <n>`. */
  value?: string;
  /** Value of an option that is given without one (`--remote [name]`); without this, the option needs a value. */
  bare?: string;
  /** Accepted, but not listed. */
  hidden?: boolean;
}

/** Declaration of a parameter besides its type. `Default`: its value where no value is given. */
interface Common<Default> {
  /** One line for people, without bounds and default, which are added. */
  summary: string;
  default?: Default;
  /** Text of the default in help where it is no constant: "all", "by the output's name". */
  defaultText?: string;
  required?: boolean;
  /** Accepted values, as a noun phrase, if type and bounds do not say it: "a model name of letters and digits". */
  form?: string;
  completes?: Completes;
  /** False: not available on the command line. */
  cli?: CommandLineForm | false;
}

/** Rules for a text, or for each entry of a list. */
interface TextRules {
  pattern?: RegExp;
  /** Rule that no pattern can express. */
  fits?: (text: string) => boolean;
  /** Words that `fits` takes, to suggest the nearest. */
  words?: readonly string[];
}

interface TextOptions extends Common<string>, TextRules {
  /** Most UTF-16 code units; default: `MAX_TEXT`. */
  maxLength?: number;
  /** Fewest UTF-16 code units; default: 0, since an empty text may have a meaning. */
  minLength?: number;
}

interface NumberOptions extends Common<number> {
  min: number;
  max: number;
}

interface ChoiceOptions<C extends string> extends Common<C> {
  choices: readonly C[];
}

interface ListOptions extends Common<readonly string[]>, TextRules {
  /** Most entries. */
  maxEntries?: number;
  /** Fewest UTF-16 code units of an entry. */
  minLength?: number;
  /** Most UTF-16 code units of an entry. */
  maxLength?: number;
  /** Commas separate entries on the command line; globs may hold commas in braces. */
  commas?: boolean;
  choices?: readonly string[];
  /** The entries are globs: on the command line relative to the current directory, as git's pathspecs are. */
  globs?: boolean;
}

type FlagOptions = Common<boolean>;

/** Texts by name: `pattern` and `fits` are the rules for a text, `keyPattern` for a name. */
interface PairsOptions extends Common<Readonly<Record<string, string>>>, TextRules {
  keyPattern: RegExp;
}

/** A list of objects: `fields` are those of each object. Files can hold one, command lines cannot. */
interface RecordsOptions extends Common<readonly object[]> {
  fields: Params;
  /** Most entries. */
  maxEntries?: number;
}

export type ParamType = 'text' | 'integer' | 'number' | 'choice' | 'flag' | 'list' | 'pairs' | 'records';

/** A declared parameter. `Value`: type of its value; `Given`: true if it always has one, by `required` or a default. */
export interface Param<Value = unknown, Given extends boolean = boolean>
  extends Omit<Common<Value>, 'default' | 'required'>,
    TextRules {
  readonly type: ParamType;
  readonly default?: Value;
  readonly required: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly minLength: number;
  readonly maxLength: number;
  readonly maxEntries: number;
  readonly choices?: readonly string[];
  readonly keyPattern?: RegExp;
  readonly fields?: Params;
  readonly commas: boolean;
  readonly globs?: boolean;
  /** Exists for the compiler alone. */
  readonly value?: Value;
  readonly given?: Given;
}

export type Params = Readonly<Record<string, Param>>;

type ValueOf<P> = P extends Param<infer Value, boolean> ? Value : never;
type GivenKeys<P extends Params> = { [K in keyof P]: P[K] extends Param<unknown, true> ? K : never }[keyof P];

/** The values of declared parameters. A parameter that is neither required nor has a default may be missing. */
export type Values<P extends Params> = { [K in GivenKeys<P>]: ValueOf<P[K]> } & {
  [K in Exclude<keyof P, GivenKeys<P>>]?: ValueOf<P[K]>;
};

type IsGiven<O> = O extends { required: true }
  ? true
  : O extends { default: string | number | boolean | object }
    ? true
    : false;

/** Most UTF-16 code units of a text: longer than any path or name. */
export const MAX_TEXT = 4_096;
const MAX_ENTRIES = 1_000;

function declare<Value, Given extends boolean>(type: ParamType, options: object): Param<Value, Given> {
  const base = { required: false, minLength: 0, maxLength: MAX_TEXT, maxEntries: MAX_ENTRIES, commas: false };
  return { type, ...base, ...options } as unknown as Param<Value, Given>;
}

export const text = <const O extends TextOptions>(options: O) => declare<string, IsGiven<O>>('text', options);
export const integer = <const O extends NumberOptions>(options: O) => declare<number, IsGiven<O>>('integer', options);
export const number = <const O extends NumberOptions>(options: O) => declare<number, IsGiven<O>>('number', options);
export const flag = <const O extends FlagOptions>(options: O) => declare<boolean, IsGiven<O>>('flag', options);
export const list = <const O extends ListOptions>(options: O) => declare<string[], IsGiven<O>>('list', options);
export const pairs = <const O extends PairsOptions>(options: O) =>
  declare<Record<string, string>, IsGiven<O>>('pairs', options);
export const records = <const O extends RecordsOptions>(options: O) =>
  declare<Values<O['fields']>[], IsGiven<O>>('records', options);
export const choice = <const C extends string, const O extends Omit<ChoiceOptions<C>, 'choices'>>(
  choices: readonly C[],
  options: O,
) => declare<C, IsGiven<O>>('choice', { ...options, choices });

/** `minConfidence` -> `min-confidence`. */
const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/**
 * The option of a parameter without its value: `--min-confidence`. A flag that is set by default has the option that clears it:
 * `--no-tests`.
 */
export function optionOf(key: string, { cli, type, default: defaultValue }: Param): string {
  const isCleared = type === 'flag' && defaultValue === true;
  return `--${(cli || undefined)?.option ?? (isCleared ? `no-${kebab(key)}` : kebab(key))}`;
}

/** An option by the name of its parameter, for texts: `--min-confidence`. */
export const optionText = (name: string): string => `--${kebab(name)}`;

/** The option as help shows it: `--depth <n>`, `--remote [name]`, `-i, --ignore-case`. */
export function optionForm(key: string, param: Param): string {
  const { short } = param.cli || {};
  const option = `${short === undefined ? '' : `${short}, `}${optionOf(key, param)}`;
  if (param.type === 'flag') return option;
  const { value = key, bare } = param.cli || {};
  return bare === undefined ? `${option} <${value}>` : `${option} [${value}]`;
}

/** Summary with bounds and default: `hops, 1 to 10 (default: 3)`. */
export function describeParam(param: Param): string {
  const { summary, type, min, max, choices } = param;
  const isBounded = (type === 'integer' || type === 'number') && max !== undefined && max !== Number.MAX_SAFE_INTEGER;
  const bounds = isBounded ? `, ${groupDigits(min ?? 0)} to ${groupDigits(max)}` : '';
  const listed = choices === undefined ? '' : `: ${choices.join(', ')}`;
  const defaultText =
    param.defaultText ?? (type === 'flag' || param.default === undefined ? undefined : plainDefault(param.default));
  return `${summary}${bounds}${listed}${defaultText === undefined ? '' : ` (default: ${defaultText})`}`;
}

const plainDefault = (value: unknown): string => (typeof value === 'number' ? groupDigits(value) : String(value));

/** Values by the names of parameters; undefined values are left out. */
type CommandOptions = Readonly<Record<string, string | number | true | undefined>>;

/** A command line that the reader can type: `git socraticode fsck --repair`. Names are those of declarations; a test compares. */
export function commandText(command: string, options: CommandOptions = {}): string {
  const words = Object.entries(options).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [value === true ? `--${kebab(key)}` : `--${kebab(key)} ${shellWord(String(value))}`];
  });
  return ['git socraticode', command, ...words].join(' ');
}

/** Parameters that are arguments, in order, and those that are options. */
export function splitParams(params: Params): { argumentKeys: string[]; optionKeys: string[] } {
  const keys = Object.keys(params).filter((key) => params[key].cli !== false);
  const isArgument = (key: string) => (params[key].cli || undefined)?.argument !== undefined;
  return { argumentKeys: keys.filter(isArgument), optionKeys: keys.filter((key) => !isArgument(key)) };
}
