// The bounds of a document. A file that exceeds one is refused, because a part of it would be taken for the whole.

/** Bytes of a file. */
export const MAX_FILE_BYTES = 64 * 1024 * 1024;
/** Entries of an archive. */
export const MAX_ENTRIES = 10_000;
/** Bytes of one unpacked entry. */
export const MAX_ENTRY_BYTES = 64 * 1024 * 1024;
/** Bytes of all entries that are unpacked for one call. */
export const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
/** Characters of the text of one part. The rest is cut, with a notice in the text. */
export const MAX_PART_CHARS = 8 * 1024 * 1024;
/** Levels of nested elements of XML. Pages that leave elements open may have more. */
export const MAX_DEPTH = 1000;
export const MAX_PARTS = 20_000;
/** Images in one result. */
export const MAX_IMAGES = 20;
/** Pixels of an image in a PDF: a page of A3 at 600 dpi has 70 million. */
export const MAX_IMAGE_PIXELS = 80_000_000;
/** Milliseconds of one call. */
export const DEADLINE_MS = 20_000;
/** Bytes by which the process may grow while a document is read, heap and buffers together. */
export const MAX_GROWTH_BYTES = 768 * 1024 * 1024;
/** Of the heap of the worker, in MiB. Far above the growth, which ends the worker: a thread that reaches its heap limit can end the whole process. */
export const MAX_HEAP_MB = 4096;
