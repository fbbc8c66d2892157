/** Version of the link rules. Snapshots linked under another version are linked again. */
export const LINK_VERSION = 4;
