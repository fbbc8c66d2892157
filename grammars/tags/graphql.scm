; GraphQL, read by words: schemas and operations.

(statement . (string)? . (word) @_word . (word) @name (#any-of? @_word "type" "input")) @definition.class
(statement . (string)? . (word) @_word . (word) @name (#eq? @_word "interface")) @definition.interface
(statement . (string)? . (word) @_word . (word) @name (#eq? @_word "enum")) @definition.enum
(statement . (string)? . (word) @_word . (word) @name (#any-of? @_word "union" "scalar")) @definition.type
(statement . (string)? . (word) @_word . "@" . (word) @name (#eq? @_word "directive")) @definition.macro
(statement . (word) @_word . (word) @name (#any-of? @_word "query" "mutation" "subscription" "fragment")) @definition.function
(statement
  . (word) @_extend . (word) @_word . (word) @name
  (#eq? @_extend "extend") (#any-of? @_word "type" "input" "interface" "enum" "union")) @definition.class

(statement (word) @_word
  (block (statement . (string)? . (word) @name . (list)? . ":") @definition.field)
  (#any-of? @_word "type" "input" "interface"))
(statement . (string)? . (word) @_word (block (statement . (string)? . (word) @name) @definition.enum-member) (#eq? @_word "enum"))

(statement . (string)? . (word) . (list)? . ":" . (word) @name @reference.type)
(statement . (string)? . (word) . (list)? . ":" . (array (word) @name @reference.type))
(list (word) . ":" . (word) @name @reference.type (#match? @name "^[A-Z]"))
(list (word) . ":" . (array (word) @name @reference.type))
(statement (word) @_word . (word) @name @reference.implements (#eq? @_word "implements"))
(statement . (word) @_word (word) @_on . (word) @name @reference.type (#eq? @_word "fragment") (#eq? @_on "on"))
(statement "." . (word) @name @reference.call (#not-eq? @name "on"))
(statement "@" . (word) @name @reference.decorator)
