; Dockerfiles, read by words: stages, arguments and variables.

(statement . (word) @_word (word) @_as . (word) @name (#match? @_word "(?i)^FROM$") (#match? @_as "(?i)^AS$")) @definition.module
(statement . (word) @_word . (word) @name (#match? @_word "(?i)^(?:ARG|ENV)$")) @definition.variable
(statement . (word) @_word (word) @name . "=" (#match? @_word "(?i)^ENV$")) @definition.variable

(statement . (word) @_word (word) @name @reference.read (#match? @_word "(?i)^FROM$") (#match? @name "^(?![Aa][Ss]$)[A-Za-z][\\w-]*$"))
(statement . (word) @_word (word) @_from . "=" . (word) @name @reference.read
  (#match? @_word "(?i)^(?:COPY|ADD|RUN)$") (#match? @_from "^--(?:from|mount)$"))
(statement "{" . (word) @name @reference.read)
(block . (word) @name @reference.read)
(statement (word) @name @reference.read (#match? @name "^[$][A-Za-z_]\\w*$") (#strip! @name "^[$]"))
