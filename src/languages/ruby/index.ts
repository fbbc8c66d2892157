/** Ruby. */
import { type Language, semantics, wordSet, words } from '../language.js';

/** Classes and modules of Ruby, of what comes with it, and of Rails. */
const LIBRARY_TYPES = `ActionCable ActionController ActionDispatch ActionMailer ActionView ActiveJob ActiveModel ActiveRecord ActiveStorage
  ActiveSupport Array BasicObject BigDecimal CGI Class Comparable CSV Date DateTime Dir ERB Enumerable Enumerator Exception FalseClass File
  FileUtils Float Hash IO Integer JSON Kernel Logger Method Module Net NilClass Numeric Object OpenSSL OpenStruct Pathname Proc Process Psych
  Rack Rails Range Regexp Set Socket StandardError String StringIO Struct Symbol Tempfile Thread Time Timeout TrueClass URI YAML Zlib`;

export const ruby: Language = {
  id: 'ruby',
  plain: 'code',
  extensions: words('rb rbw rake gemspec ru podspec jbuilder builder thor'),
  names: words('gemfile rakefile guardfile podfile vagrantfile capfile fastfile brewfile dangerfile berksfile'),
  interpreters: words('ruby jruby rake'),
  grammar: { name: 'ruby' },
  relations: true,
  rules: async () => (await import('./rules.js')).ruby,
  imports: async () => (await import('./rules.js')).RUBY,
  semantics: semantics({
    family: 'ruby',
    implicitThis: true,
    namesTell: true,
    readers: true,
    unstatedTypes: true,
    ownClass: 'class',
    mixedIn: 'ClassMethods',
    dottedNames: '::',
    transitive: true,
    globalTypes: true,
    parts: 'anywhere',
    reopens: new Set(['class']),
    // Records of Rails come from their classes.
    constructorNames: wordSet(
      `new find find_by find_by! create create! first first! last last! take take! sole find_or_create_by find_or_create_by!
       find_or_initialize_by create_or_find_by build`,
    ),
  }),
  conventions: {
    statesRoutes: true,
    topLevelCode: true,
    parameters: {
      name: /^(\w+)/,
      optional: /=/,
      rest: /^\*(?!\*)/,
      marker: /^&/,
      // Keywords are one argument of a method that takes none by name.
      unclear: /^(?:\*\*|\.{3}$|\w+:)/,
      unclearArgument: /^(?:\*|&|\.{3}$|["']?\w+["']?:(?!:)|:?["'\w]+\s*=>)/,
      unclearBefore: /\binitialize\b/,
      bracketsOptional: true,
    },
    assignedMembers: true,
    untypedMembers: true,
    possibleShares: false,
    inheritedConstructors: true,
    libraryTypes: new RegExp(`^(?:${words(LIBRARY_TYPES).join('|')})\\.`),
    toolPath: /(?:^|\/)(?:rakefile|[^/]*\.gemspec)$/i,
    runtimeNames: wordSet(
      `initialize initialize_copy method_missing respond_to_missing? const_missing inherited included extended prepended method_added
       to_s to_str to_a to_ary to_h to_hash to_proc inspect each hash coerce <=> ==`,
    ),
    containerNames: wordSet(
      `add all? any? append assoc at bytes call capitalize center chars chomp chop chunk clear collect combination compact compact! concat
       count cycle default delete delete_at delete_if detect difference dig downcase drop drop_while dup each each_char each_cons
       each_index each_key each_line each_pair each_slice each_value each_with_index each_with_object empty? encode end_with? fetch fill
       filter filter_map find find_all find_index first flat_map flatten freeze gsub gsub! has_key? has_value? hash include? index inject
       insert intersection invert join keep_if key key? keys last lazy length lines ljust lstrip map map! match match? max max_by member?
       merge merge! min min_by next none? one? pack partition permutation pop prepend product push reduce reject reject! replace reverse
       reverse_each rindex rjust rotate rstrip sample scan select select! shift shuffle size slice sort sort! sort_by split squeeze
       start_with? store strip sub sub! sum swapcase take take_while tally to_a to_ary to_f to_h to_hash to_i to_proc to_s to_set to_str
       to_sym tr transform_keys transform_values transpose union uniq unpack unshift upcase update values values_at with_index zip`,
    ),
    testName: /^(?:test_|setup$|teardown$)/,
    variants: 'file',
    routeNames: wordSet('get post put patch delete head options mount match'),
    declarationNoise: /^def\s+/,
  },
};

/** Views with code of Ruby. */
const VIEW = {
  plain: 'markup',
  grammar: { name: 'ruby' },
  relations: true,
  imports: ruby.imports,
  semantics: ruby.semantics,
  conventions: { topLevelCode: true, untypedMembers: true, possibleShares: false },
} as const satisfies Partial<Language>;

export const erb: Language = {
  ...VIEW,
  id: 'erb',
  extensions: words('erb rhtml'),
  rules: async () => (await import('./rules.js')).erb,
};

export const haml: Language = {
  ...VIEW,
  id: 'haml',
  extensions: words('haml slim'),
  rules: async () => (await import('./rules.js')).haml,
};
