/** Ruby. */
import { type Language, semantics, wordSet, words } from '../language.js';

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
    unstatedTypes: true,
    ownClass: 'class',
    mixedIn: 'ClassMethods',
    dottedNames: '::',
    transitive: true,
    globalTypes: true,
    parts: 'anywhere',
    reopens: new Set(['class']),
    constructorNames: new Set(['new']),
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
    inheritedConstructors: true,
    toolPath: /(?:^|\/)(?:rakefile|[^/]*\.gemspec)$/i,
    runtimeNames: wordSet(
      `initialize initialize_copy method_missing respond_to_missing? const_missing inherited included extended prepended method_added
       to_s to_str to_a to_ary to_h to_hash to_proc inspect each hash coerce <=> ==`,
    ),
    testName: /^(?:test_|setup$|teardown$)/,
    variants: 'file',
    routeNames: wordSet('get post put patch delete head options mount match'),
    declarationNoise: /^def\s+/,
  },
};
