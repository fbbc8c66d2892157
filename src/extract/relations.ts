/** Relations of a file, as extraction gives them; the vocabulary is shared with the rules of languages. */
export * from '../languages/roles/relation-facts.js';
