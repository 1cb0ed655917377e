// Text of documents, within bounds.
export { readDocument, type DocumentRequest } from "./document-reader.ts";
export type { DocumentFormat, DocumentText, PartUnit, ReadOptions, ReadPart } from "./document.ts";
export type { PartImage } from "./images/part-images.ts";
export { DocumentError, type DocumentErrorCode } from "./document-error.ts";
