; XML: elements that have a name of their own.

(element [
  (STag (Attribute (Name) @_attribute (AttValue) @name))
  (EmptyElemTag (Attribute (Name) @_attribute (AttValue) @name))]
  (#match? @_attribute "^(?:[\\w.-]+:)?(?:id|[nN]ame|key)$")) @definition.key

(GEDecl (Name) @name) @definition.constant
(elementdecl (Name) @name) @definition.type
