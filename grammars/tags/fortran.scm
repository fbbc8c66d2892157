; Fortran, read by words: blocks open and close by their own.

(statement (word) @_word . (word) @name (#match? @_word "(?i)^(?:subroutine|function)$") (body)) @definition.function
(statement . (word) @_word (word) @name . (body) (#match? @_word "(?i)^(?:module|submodule)$")) @definition.module
(statement . (word) @_word . (word) @name . (body) (#match? @_word "(?i)^program$")) @definition.module
(statement . (word) @_word . (word) @name . (body) (#match? @_word "(?i)^interface$")) @definition.interface
(statement . (word) @_word . (word) @name . (body) (#match? @_word "(?i)^type$")) @definition.struct
(statement . (word) @_word ":" . ":" . (word) @name (body) (#match? @_word "(?i)^type$")) @definition.struct

(statement . (word) @_word
  (body (statement . (word) @_first ":" . ":" . (word) @name (#not-match? @_first "(?i)^(?:procedure|end|generic|final|use|import)$")) @definition.field)
  (#match? @_word "(?i)^type$"))
(statement . (word) @_word
  (body (statement . (word) @_first ":" . ":" . (word) @name (#match? @_first "(?i)^(?:procedure|generic)$")) @definition.method)
  (#match? @_word "(?i)^type$"))
(statement . (word) @_word
  (body (statement
    . (word) @_first ":" . ":" . (word) @name
    (#not-match? @_first "(?i)^(?:public|private|use|import|procedure|end)$")) @definition.variable)
  (#match? @_word "(?i)^module$"))

(statement . (word) @_word . (word) @name (#match? @_word "(?i)^use$")) @reference.include
(statement . (word) @_word . (string) @name (#match? @_word "(?i)^include$")) @reference.include
(statement (word) @_word . (word) @name @reference.call (#match? @_word "(?i)^call$"))
(statement (word) @_word . (list (word) @name @reference.type) (#match? @_word "(?i)^(?:type|class|extends)$"))
(_ "=" (word) @name @reference.call . (list))
