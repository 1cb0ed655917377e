// What the worker gets, and what it answers.
import type { DocumentText, ReadOptions } from "../document.ts";
import type { DocumentErrorCode } from "../document-error.ts";

export interface WorkerInput {
  readonly bytes: Uint8Array;
  readonly options: ReadOptions;
}

export type WorkerReply = { readonly text: DocumentText } | { readonly code: DocumentErrorCode; readonly message: string };
