/** Python, with the dialects that are parsed as Python: Cython, Starlark. */
import { type Language, semantics, wordSet, words } from '../language.js';

export const python: Language = {
  id: 'python',
  plain: 'code',
  extensions: words('py pyi pyw pyx pxd bzl star gyp gypi'),
  names: words('sconstruct sconscript wscript build build.bazel workspace tiltfile'),
  interpreters: words('python pypy uv'),
  grammar: { name: 'python' },
  relations: true,
  rules: async () => (await import('./rules.js')).python,
  manifests: words('pyproject.toml setup.cfg setup.py'),
  imports: async () => (await import('./imports.js')).PYTHON,
  packages: {
    ecosystem: 'pypi',
    manifests: words('pyproject.toml setup.cfg setup.py requirements.txt requirements-dev.txt'),
    load: async () => (await import('./imports.js')).PYPI,
  },
  programs: { manifests: words('pyproject.toml'), load: async () => (await import('./imports.js')).projectPrograms },
  semantics: semantics({
    family: 'python',
    importsAreExports: true,
    importsOverDefinitions: true,
    submodules: true,
    openBodies: true,
    membersOutside: false,
    assignedOverDeclared: true,
    unstatedTypes: true,
    ownClass: '__class__',
    appliers: ['__call__'],
    iterators: ['__iter__', '__aiter__'],
    indexers: ['__getitem__'],
    descriptors: { read: '__get__', write: '__set__' },
    getters: wordSet('property cached_property abstractproperty lazyproperty'),
    fixtures: new Set(['fixture']),
    contextMakers: wordSet('contextmanager asynccontextmanager'),
    wrappers: wordSet('Mapped Optional Awaitable Coroutine Annotated Final ClassVar Required NotRequired Self'),
    anyTypes: wordSet('Any object'),
    unions: new Set(['Union']),
    typesOfTypes: wordSet('Type type'),
    collections: wordSet(
      `List list Sequence Iterable Iterator Set set FrozenSet frozenset Tuple tuple Dict dict Mapping MutableMapping
       defaultdict DefaultDict OrderedDict Deque deque Generator AsyncIterator AsyncIterable AsyncGenerator Collection MutableSequence MutableSet
       AbstractSet KeysView ValuesView ItemsView Reversible Container AsyncIterable ChainMap Counter WeakSet WeakValueDictionary`,
    ),
    tuples: wordSet('Tuple tuple'),
  }),
  conventions: {
    imported: true,
    mainNames: new Set(['main']),
    topLevelCode: true,
    programPath: /(?:^|\/)(?:__main__|manage)\.py$/,
    toolPath: /(?:^|\/)(?:setup|conftest)\.py$/i,
    // `__enter__` of the language, `_missing_` of enumerations, `_repr_html_` of notebooks.
    runtimeName: /^_\w+_$/,
    memberReceivers: 'always',
    docstring: /^[ \t]*(?:(?:async[ \t]+)?def\b|class\b|\))[^\n]{0,300}:[ \t]*\n\s{0,200}[rRuU]?("""|''')/gm,
    boundThis: true,
    untypedMembers: true,
    inheritedConstructors: true,
    testName: /^(?:test|Test|setup|teardown|setUp|tearDown)/,
    routeTable: { variable: 'urlpatterns', entries: wordSet('path re_path url'), include: 'include' },
    builtins: wordSet(
      `abs aiter all anext any apply ascii basestring bin bool breakpoint buffer bytearray bytes callable chr classmethod cmp coerce
       compile complex copyright delattr dict dir divmod enumerate eval exec execfile exit file filter float format frozenset getattr
       globals hasattr hash help hex id input int intern isinstance issubclass iter len list locals long map max memoryview min next object
       oct open ord pow print property quit range raw_input reduce reload repr reversed round set setattr slice sorted staticmethod str sum
       super tuple type unichr unicode vars xrange zip __import__ NotImplemented Ellipsis`,
    ),
    assignedMembers: true,
    containerNames: wordSet(
      `add append appendleft capitalize casefold center clear copy count decode difference difference_update discard elements encode
       endswith expandtabs extend extendleft find format format_map fromkeys get hex index insert intersection intersection_update
       isalnum isalpha isdecimal isdigit isdisjoint isidentifier islower isnumeric isspace issubset issuperset istitle isupper items
       join keys ljust lower lstrip most_common move_to_end partition pop popitem popleft remove removeprefix removesuffix replace
       reverse rfind rindex rjust rotate rpartition rsplit rstrip setdefault sort split splitlines startswith strip subtract swapcase
       symmetric_difference title translate union update upper values zfill`,
    ),
    dynamicNames: wordSet('__getattr__ __getattribute__'),
    parameters: {
      name: /^\*{0,2}(\w+)/,
      optional: /=/,
      rest: /^\*{1,2}\w/,
      implicit: /^(?:self|cls|mcs|mcls)\b/,
      marker: /^[*/]$/,
      keywordsFrom: /^\*(?!\*)/,
      anyKeyword: /^\*\*/,
      keyword: /^(\w+)\s*=(?!=)/,
      plainDecorators:
        /^(?:staticmethod|classmethod|abstractmethod|abc\.abstractmethod|override|typing\.override|t\.overload|overload)$/,
    },
    overloadsShareBody: true,
    variants: 'file',
    exportLists: new Set(['__all__']),
    declarationNoise: /^def\s+/,
    impliedParameter: /\((?:self|cls)(?:, ?|(?=\)))/,
    generatedPath: /_pb2(?:_grpc)?\.py$/,
    declarationPath: /\.pyi$/,
    declares: ['.py'],
  },
};
