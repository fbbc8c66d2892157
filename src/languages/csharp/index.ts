/** C#. */
import { type Language, semantics, wordSet, words } from '../language.js';

export const csharp: Language = {
  id: 'csharp',
  plain: 'code',
  extensions: words('cs csx cake'),
  grammar: { name: 'csharp' },
  relations: true,
  rules: async () => (await import('./rules.js')).csharp,
  manifestPattern: /(?:\.csproj|(?:^|\/)Directory\.Build\.props)$/,
  imports: async () => (await import('./imports.js')).CSHARP,
  semantics: semantics({
    family: 'csharp',
    overridesAreMarked: true,
    paths: '.',
    implicitThis: true,
    openNamespaces: true,
    parts: 'package',
    extensionsInTypes: true,
    decoratorSuffix: 'Attribute',
    reopens: new Set(['class', 'struct', 'interface']),
    anyTypes: new Set(['dynamic']),
    wrappers: wordSet('Task ValueTask Nullable Lazy Func IOptions WeakReference'),
    collections: wordSet(
      `List IList IEnumerable ICollection IReadOnlyList IReadOnlyCollection HashSet ISet Queue Stack LinkedList Dictionary
       IDictionary IReadOnlyDictionary ConcurrentDictionary ConcurrentBag SortedDictionary IQueryable Span ReadOnlySpan
       IAsyncEnumerable ImmutableArray ImmutableList ImmutableDictionary IEnumerator Collection ObservableCollection`,
    ),
  }),
  conventions: {
    controllerPaths: '/[controller]/[action]',
    variants: 'type',
    overloadsAreTold: true,
    fixedFields: true,
    memberReceivers: 'outside',
    boundThis: true,
    fileHead: /\bprivate\b(?!\s+protected)/,
    parameters: {
      name: /(\w+)\s*(?:=.*)?$/s,
      optional: /=/,
      rest: /^params\b/,
      implicit: /^this\s/,
      keyword: /^(\w+)\s*:(?!:)/,
    },
    mainNames: new Set(['Main']),
    mainInTypes: true,
    scriptPath: /\.csx$/,
    runtimeNames: wordSet(
      'ToString Equals GetHashCode Dispose DisposeAsync Finalize Deconstruct GetEnumerator MoveNext Current Reset ' +
        'GetAsyncEnumerator MoveNextAsync GetAwaiter GetResult IsCompleted OnCompleted UnsafeOnCompleted GetPinnableReference',
    ),
    // Members that implement an interface have no mark.
    libraryMembers: [
      'IComparable IComparer IEqualityComparer: CompareTo Compare',
      'IEnumerable IEnumerator IReadOnlyCollection IReadOnlyList IReadOnlyDictionary: Count ContainsKey TryGetValue Keys Values',
      `ICollection IList IDictionary ISet: Add Clear Contains CopyTo Remove Count IsReadOnly IsSynchronized SyncRoot IndexOf Insert RemoveAt
       IsFixedSize ContainsKey TryGetValue Keys Values ExceptWith IntersectWith IsProperSubsetOf IsProperSupersetOf IsSubsetOf IsSupersetOf
       Overlaps SetEquals SymmetricExceptWith UnionWith`,
      'ICloneable IFormattable IServiceProvider: Clone GetService',
      'IObserver IObservable: OnNext OnError OnCompleted Subscribe',
      'INotifyPropertyChanged INotifyPropertyChanging ICommand: PropertyChanged PropertyChanging Execute CanExecute CanExecuteChanged',
    ],
    // Designers of forms find these by the name of a property, and runners of commands and weavers find handlers.
    runtimeName: /^(?:ShouldSerialize|Reset|On)(?=\p{Lu})/u,
    // `System.Runtime.CompilerServices.IsExternalInit` lets an older framework have records.
    compilerNames: /^System\./,
    declarationNoise: /^(?:(?:public|sealed|override)\s+)+/,
    generatedPath: /\.(?:designer|g|g\.i)\.cs$/,
    testPath: /(?:Test|Tests|Specs?|SpecsAsync|[a-z\d]IT)\.cs$|\.(?:Tests|Specs|TestUtils)\//,
  },
};
