; Nix, read by words: attributes, and functions among them.

(statement . (word) @name . "=" . [(word) (block)] . ":") @definition.function
(statement . (word) @name . "=") @definition.property

(_ (word) @_word . (word) @name @reference.import (#any-of? @_word "import" "callPackage") (#match? @name "^\\.{1,2}/"))
(array (word) @name @reference.import (#match? @name "^\\.{1,2}/"))
(_ (word) @_word . (word) @name @reference.read (#eq? @_word "inherit"))
