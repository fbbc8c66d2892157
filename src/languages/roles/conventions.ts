/** Conventions of a language: what its runtime, its tools and its programmers recognise by name. Data for questions about code. */

export interface Conventions {
  /** Functions at top level that start a program. */
  mainNames?: ReadonlySet<string>;
  /** A main function can be a static member of a type. */
  mainInTypes?: boolean;
  /** Files run from their top. Elsewhere code at top level declares, or is inside of a macro. */
  topLevelCode?: boolean;
  /** Paths of the files that run from their top, where not all of a language do. */
  scriptPath?: RegExp;
  /** Paths of command line programs. */
  programPath?: RegExp;
  /** Paths of files that tools load by name: nothing imports them, and they start nothing. Without regard to case. */
  toolPath?: RegExp;

  /** Members that the language or its library calls by name. */
  runtimeNames?: ReadonlySet<string>;
  /** Form of such names. */
  runtimeName?: RegExp;
  /** Functions at top level that run when their package is loaded. */
  initializers?: ReadonlySet<string>;
  /** Names by which test runners find tests in test files. Elsewhere decorators and attributes tell. */
  testName?: RegExp;
  /** Modules that hold the tests of the file that they are in. */
  testModules?: ReadonlySet<string>;
  /** Last name of an attribute that makes a function a test, wherever it is. */
  testAttribute?: RegExp;
  /** Functions without a receiver that declare routes: `get '/users' do`. */
  routeNames?: ReadonlySet<string>;
  /** Variable whose value lists the routes of a file, functions that make its entries, and the one that includes another file's. */
  routeTable?: { variable: string; entries: ReadonlySet<string>; include: string };

  /** Types implement an interface by having its methods: nothing in the text says so. */
  structuralInterfaces?: boolean;
  /** A file that imports or exports keeps what it defines at its top and does not export to itself. */
  modules?: boolean;
  /** Paths of files that others include: whoever does can name everything in them. */
  includedPath?: RegExp;
  /** Members can be used through values whose type nothing names. */
  untypedMembers?: boolean;
  /** Declarations of one name share one body. Elsewhere each overload has a body. */
  overloadsShareBody?: boolean;
  /** Words at the beginning of a declaration that a reader of an outline does not need. */
  declarationNoise?: RegExp;
  /** The opening bracket and the first parameter, where every method has it and no call gives it. */
  impliedParameter?: RegExp;

  /** Class of files whose name tells no class. */
  pathClass?: 'data' | 'document';
  /** Paths of test files, with their case, beyond those that are tests in every language. */
  testPath?: RegExp;
  /** Paths of generated files, and of declarations without code: lower-cased, with a leading slash. */
  generatedPath?: RegExp;
  declarationPath?: RegExp;
  /** Endings of the code that such a file declares, in place of what `declarationPath` matches. */
  declares?: readonly string[];

  /** Functions, types and values that exist without a definition or an import: removing one's own leaves that of the language. */
  builtins?: ReadonlySet<string>;
  /** Members and functions that answer for names that nothing defines. */
  dynamicNames?: ReadonlySet<string>;
  /** Assigning to a member makes it: a type need not declare it. */
  assignedMembers?: boolean;
  /** Form of parameters, in languages where a call has to fit them. */
  parameters?: ParameterForm;
}

/** Patterns that are tried on the text of one parameter, or of one argument, without white space around it. */
export interface ParameterForm {
  /** Captures the name. */
  name: RegExp;
  optional: RegExp;
  /** Takes any number of arguments. */
  rest: RegExp;
  /** Callers do not pass it: the instance. */
  implicit?: RegExp;
  /** Stands between parameters and is none. */
  marker?: RegExp;
  /** Parameters after it are passed by name alone. */
  keywordsFrom?: RegExp;
  /** Takes arguments of any name. */
  anyKeyword?: RegExp;
  /** Captures the name by which an argument is passed. */
  keyword?: RegExp;
  /** Words before the name of a function with which its list does not tell all: defaults of a parent, other signatures. */
  unclearBefore?: RegExp;
  /** A parameter with which nothing is told: a function, which a block behind the call can be. */
  unclear?: RegExp;
  /** An argument with which a call is not judged: several values, or none, in one. */
  unclearArgument?: RegExp;
  /** A block behind the brackets is an argument, so a call with one is not judged. */
  trailingBlocks?: boolean;
  /** A function without brackets behind its name takes nothing. */
  bracketsOptional?: boolean;
  /** A call that does not fit runs nevertheless. */
  isLenient?: boolean;
  /** Decorators after which the parameters stay what they are; of others nothing is known. */
  plainDecorators?: RegExp;
}
