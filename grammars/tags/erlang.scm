; Erlang, read by words: one statement ends with its dot.

(file (statement . "-" . (word) @_word . (list . (word) @name) (#eq? @_word "module")) @definition.module)
(file (statement . (word) @name . (list)) @definition.function @_form
  (#not-match? @_form "^-") (#match? @name "^[a-z]"))
(file (statement . "-" . (word) @_word . (list . (word) @name) (#eq? @_word "record")) @definition.struct)
(file (statement . "-" . (word) @_word . (list . (word) @name) (#eq? @_word "define")) @definition.macro)
(file (statement . "-" . (word) @_word . (word) @name (#any-of? @_word "type" "opaque" "nominal")) @definition.type)
(file (statement . "-" . (word) @_word . (word) @name (#any-of? @_word "callback")) @definition.method)
(file (statement . "-" . (word) @_word . (list (block . (word) @name @definition.field)) (#eq? @_word "record")))
(file (statement . "-" . (word) @_word . (list (block "," . (word) @name @definition.field)) (#eq? @_word "record")))

(file (statement . "-" . (word) @_word . (list (string) @name) (#any-of? @_word "include" "include_lib")) @reference.include)
(file (statement . "-" . (word) @_word . (list . (word) @name @reference.implements) (#any-of? @_word "behaviour" "behavior")))
(_ (word) @name @reference.call . (list) (#match? @name "^[a-z]") (#not-any-of? @name
  "module" "export" "export_type" "import" "include" "include_lib" "behaviour" "behavior" "record" "define" "compile" "ifdef" "ifndef" "undef"
  "fun" "when" "if" "case" "of" "end" "catch" "and" "or" "not" "andalso" "orelse"))
(_ "?" . (word) @name @reference.read)
(_ (word) @name @reference.read (#match? @name "^[?]\\w") (#strip! @name "^[?]+"))
(_ "#" . (word) @name @reference.type)
