// The worker that reads one document. Its owner terminates it when it takes too long or too much memory.
import { parentPort, workerData } from "node:worker_threads";
import { DocumentError } from "../document-error.ts";
import { extractText } from "../text-extraction.ts";
import type { WorkerInput, WorkerReply } from "./messages.ts";

const { bytes, options } = workerData as WorkerInput; // from document-reader.ts

async function reply(): Promise<WorkerReply> {
  try {
    return { text: await extractText(bytes, options) };
  } catch (error) {
    if (error instanceof DocumentError) return { code: error.code, message: error.message };
    if (error instanceof RangeError)
      return { code: "too-large", message: "Document too large: reading it needs more memory than is permitted." };
    return { code: "broken", message: "Broken document: it cannot be read." };
  }
}

parentPort?.postMessage(await reply(), []);
