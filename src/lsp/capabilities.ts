/** Abilities that the server tells an editor of (data). */

/** The editor sends whole texts: they are kept whole, and sending one is cheap beside parsing it. */
const FULL_TEXT = 1;

export const CAPABILITIES = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: FULL_TEXT, save: {} },
  definitionProvider: true,
  referencesProvider: true,
  hoverProvider: true,
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  callHierarchyProvider: true,
  codeLensProvider: { resolveProvider: true },
} as const;
