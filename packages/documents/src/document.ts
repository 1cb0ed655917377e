// A document as its reader sees it: parts in their order, each of which is read when it is needed.

import type { PartImage, PartImages } from "./images/part-images.ts";

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
  /** The images of a part; absent where the format has none that are read. */
  readonly images?: (index: number, maxBytes: number) => PartImages | Promise<PartImages>;
}

export interface ReadOptions {
  /** The first part, from 1. Default 1. */
  readonly part?: number | undefined;
  /** The first character of that part, from 0. Default 0. */
  readonly offset?: number | undefined;
  /** Characters of text in the result. Default 50,000. */
  readonly maxChars?: number | undefined;
  /** Bytes of images in the result. More than 0 reads one part only, with its images. Default 0. */
  readonly maxImageBytes?: number | undefined;
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
  /** Of the requested part; absent unless `maxImageBytes` is given. */
  readonly images?: readonly PartImage[] | undefined;
  /** Images of that part that are too large, or in a form that is not read. */
  readonly imagesLeftOut?: number | undefined;
  /** Where the rest begins; absent at the end of the document. */
  readonly next?: { readonly part: number; readonly offset: number } | undefined;
}
