// A document as its reader sees it: parts in their order, each of which is read when it is needed.

export type DocumentFormat = "pdf" | "docx" | "xlsx" | "pptx" | "epub" | "html";
export type PartUnit = "page" | "sheet" | "slide" | "chapter" | "part";

export interface Part {
  readonly title?: string | undefined;
  readonly text: string;
}

export interface Document {
  readonly format: DocumentFormat;
  readonly unit: PartUnit;
  readonly title?: string | undefined;
  readonly count: number;
  /** `index`: from 0. */
  readonly read: (index: number) => Part | Promise<Part>;
}

export interface ReadOptions {
  /** The first part, from 1. Default 1. */
  readonly part?: number | undefined;
  /** The first character of that part, from 0. Default 0. */
  readonly offset?: number | undefined;
  /** Characters of text in the result. Default 50,000. */
  readonly maxChars?: number | undefined;
}

export interface ReadPart extends Part {
  /** From 1. */
  readonly number: number;
}

export interface DocumentText {
  readonly format: DocumentFormat;
  readonly unit: PartUnit;
  readonly title?: string | undefined;
  /** Parts of the document. */
  readonly count: number;
  readonly parts: readonly ReadPart[];
  /** Where the rest begins; absent at the end of the document. */
  readonly next?: { readonly part: number; readonly offset: number } | undefined;
}
