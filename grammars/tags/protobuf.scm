; Protocol Buffers, read by words: messages, services and their members.

(statement . (word) @_word . (word) @name (block) (#any-of? @_word "message" "group" "extend")) @definition.struct
(statement . (word) @_word . (word) @name (block) (#eq? @_word "enum")) @definition.enum
(statement . (word) @_word . (word) @name (block) (#eq? @_word "service")) @definition.interface
(statement . (word) @_word . (word) @name (block) (#eq? @_word "oneof")) @definition.type
(statement . (word) @_word . (word) @name . (list) (#eq? @_word "rpc")) @definition.method
(statement . (word) @_word . (word) @name (#eq? @_word "package")) @definition.namespace

(statement . (word) @_word
  (block (statement . (word) @name . "=") @definition.enum-member)
  (#eq? @_word "enum") (#not-any-of? @name "option" "reserved"))
(statement . (word) @_word
  (block (statement . (word) @_first (word) @name . "=") @definition.field)
  (#any-of? @_word "message" "oneof" "group" "extend") (#not-any-of? @_first "option" "reserved" "extensions"))

(statement . (word) @_word (string) @name (#eq? @_word "import")) @reference.include
(statement . (word) @_first (word) @name @reference.type . (word) . "="
  (#not-any-of? @_first "option") (#strip! @name "^[\\w.]*\\."))
(statement . (word) @name @reference.type . (word) . "=" (#not-any-of? @name "option") (#strip! @name "^[\\w.]*\\."))
(statement . (word) @_word (list (word) @name @reference.type .) (#eq? @_word "rpc") (#strip! @name "^[\\w.]*\\."))
(statement . (word) @_word "<" (word) @name @reference.type . ">" (#eq? @_word "map") (#strip! @name "^[\\w.]*\\."))
