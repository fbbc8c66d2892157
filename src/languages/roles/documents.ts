/** Role of languages for documents: headings, and text that is set as code. */
import type { LanguageId } from '../ids.js';

/** Pieces of a document in the order of its lines, which are 1-based. */
export type DocumentPart = Heading | CodeSpan | DocumentLink | CodeBlock;

export interface Heading {
  is: 'heading';
  line: number;
  /** 1 for the title. */
  level: number;
  text: string;
  /** Offsets of the heading's first line, and of its text, in UTF-16 units. */
  start: number;
  nameStart: number;
}

/** Words within a sentence that are set as code. */
export interface CodeSpan {
  is: 'code';
  line: number;
  text: string;
  /** The markup itself makes it a cross-reference to code of this project. */
  isReference?: boolean;
  /** The document itself describes the name, which need not be declared in code. */
  isDescribed?: boolean;
}

export interface DocumentLink {
  is: 'link';
  line: number;
  /** As written: an address, a path, an anchor. */
  target: string;
}

/** A sample of code. */
export interface CodeBlock {
  is: 'block';
  /** First line of the code. */
  line: number;
  /** Word for its language, as written; '' for none. */
  language: string;
  text: string;
}

/** Reads a text in linear time, whatever it holds. */
export type DocumentReader = (text: string) => DocumentPart[];

/** A piece of a document that is no section; it ends where the next one begins. */
export interface DocumentPiece {
  /** Offset in UTF-16 units. */
  start: number;
  /** A program wrote it: no search reads it. */
  isOutput: boolean;
}

/** How a document without a grammar is cut. */
export interface SectionRules {
  read: DocumentReader;
  /** Pieces beside the sections; absent if there are only sections. */
  pieces?: (text: string) => DocumentPiece[];
  /** Code of the document as one text; null for none, or for code of a language without rules here. */
  code?: (text: string) => CodeOfCells | null;
}

export interface CodeOfCells {
  text: string;
  language: LanguageId;
  /** Places in the document where each character of the text begins and ends, and where the text itself ends. */
  offsets: Uint32Array;
  ends: Uint32Array;
}

/** Longest text set as code, longest target of a link, longest heading: longer ones name no code. */
export const MAX_SPAN = 300;
