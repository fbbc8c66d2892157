; CMake, read by words: functions, macros, targets, options and variables.

(statement . (word) @_word . (list . (word) @name) (#match? @_word "(?i)^function$")) @definition.function
(statement . (word) @_word . (list . (word) @name) (#match? @_word "(?i)^macro$")) @definition.macro
(statement
  . (word) @_word . (list . (word) @name)
  (#match? @_word "(?i)^(?:add_(?:library|executable|custom_target)|project)$") (#match? @name "^[\\w.:+-]+$")) @definition.module
(statement . (word) @_word . (list . (word) @name) (#match? @_word "(?i)^option$") (#match? @name "^\\w+$")) @definition.constant
(statement . (word) @_word . (list . (word) @name) (#match? @_word "(?i)^set$") (#match? @name "^\\w+$")) @definition.variable

(statement
  . (word) @_word . (list . (word) @name)
  (#match? @_word "(?i)^(?:include|add_subdirectory)$")) @reference.include
(statement
  . (word) @_word . (list (word) @name @reference.read)
  (#match? @_word "(?i)^(?:target_\\w+|add_dependencies|install|set_target_properties|add_test)$"))
(statement . (word) @name @reference.call . (list)
  (#not-match? @name "(?i)^(?:if|elseif|else|endif|foreach|endforeach|while|endwhile|function|endfunction|macro|endmacro|set|return|include)$"))
