/** Names the rules of linking: snapshots linked under another version are linked anew. */
export const LINK_VERSION = 4;
