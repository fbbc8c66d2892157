; Perl, read by words: packages, subroutines, constants and what they call.

(statement . (word) @_word . (word) @name (#eq? @_word "package")) @definition.module
(statement . (word) @_word . (word) @name (#any-of? @_word "sub" "method" "fun")) @definition.function
(statement . (word) @_word . (word) @name (#any-of? @_word "class" "role")) @definition.class
(statement . (word) @_use . (word) @_word . (word) @name (#eq? @_use "use") (#eq? @_word "constant")) @definition.constant
(statement . (word) @_use . (word) @_word . (block (statement (word) @name . "=" . ">") ) (#eq? @_use "use") (#eq? @_word "constant")) @definition.constant
(statement . (word) @_word . (word) @name (#eq? @_word "our") (#match? @name "^[$@%]") (#strip! @name "^[$@%]")) @definition.variable
(statement . (word) @_word . (word) @name . "=" . ">" (#eq? @_word "has")) @definition.property

(statement . (word) @_word . (word) @name (#any-of? @_word "use" "require") (#not-match? @name "^(?:strict|warnings|utf8|constant|parent|base|lib|feature|vars|overload|integer|v\\d.*)$")) @reference.include
(statement . (word) @_use . (word) @_word (string) @name (#eq? @_use "use") (#any-of? @_word "parent" "base")) @reference.extends
(_ "-" . ">" . (word) @name @reference.call)
(_ (word) @name @reference.call . (list) (#match? @name "^[A-Za-z]") (#not-any-of? @name "if" "unless" "while" "until" "for" "foreach" "my" "our" "local" "return" "and" "or" "not" "qw" "sub" "elsif"))
