; Clojure, read by words: forms that define something.

(list . (word) @_word . (word) @name (#any-of? @_word "defn" "defn-" "defmulti" "deftest" "defmethod" "definline" "defspec")) @definition.function
(list . (word) @_word . (word) @name (#any-of? @_word "def" "defonce")) @definition.variable
(list . (word) @_word . (word) @name (#any-of? @_word "defmacro")) @definition.macro
(list . (word) @_word . (word) @name (#any-of? @_word "defprotocol" "definterface")) @definition.interface
(list . (word) @_word . (word) @name (#any-of? @_word "defrecord" "deftype" "defstruct")) @definition.struct
(list . (word) @_word . (word) @name (#eq? @_word "ns")) @definition.module
; Macros of libraries that define something: `re-frame/defn-traced`, `defroutes`, `s/defn`.
(file (statement (list . (word) @_word . (word) @name (#match? @_word "(?:^|/)def[\\w*-]+$")) @definition.variable))
(list . (word) @_word (list . (word) @name) @definition.method (#any-of? @_word "defprotocol" "definterface"))
(list . (word) @_word . (word) . (array (word) @name @definition.field) (#any-of? @_word "defrecord" "deftype"))

(list . (word) @_word (list (array . (word) @name @reference.include)) (#eq? @_word "ns"))
(list . (word) @name @reference.call (#not-match? @name "^(?::|def|ns$)") (#strip! @name "^[^/]+/"))
