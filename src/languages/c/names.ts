/** Mentions of names in C and C++: see `NameRules`. */
import type { NameRules } from '../roles/relations.js';

export const NAMES: NameRules = {
  opaque: ['comment', 'string_content', 'char_literal', 'system_lib_string'],
  keywords: new Set(
    (
      'NULL alignas alignof auto bool break case catch char class co_await co_return co_yield concept const ' +
      'const_cast consteval constexpr constinit continue decltype default define defined delete do double ' +
      'dynamic_cast elif else endif enum error explicit export extern false final float for friend goto if ' +
      'ifdef ifndef include inline int long mutable namespace new noexcept nullptr operator override pragma ' +
      'private protected public register reinterpret_cast requires restrict return short signed size_t ' +
      'sizeof static static_assert static_cast std struct switch template this thread_local throw true try ' +
      'typedef typeid typename undef union unsigned using virtual void volatile wchar_t while'
    ).split(' '),
  ),
  unimported: true,
};

/** In the grammar of C++, which knows raw strings. */
export const CPP_NAMES: NameRules = { ...NAMES, opaque: [...NAMES.opaque, 'raw_string_literal'] };
