// The main loop of a database process: reads a request, handles it, replies. It blocks wherever it can, because nothing else runs here.
// To stop a request the server kills the process; SQLite's journal makes that safe.
import { subscribe } from "node:diagnostics_channel";
import { readSync } from "node:fs";
import { systemErrorCode } from "@oarlock/domain-kit";
import type { ConnectionOptions } from "../engine/connection.ts";
import { Engine } from "../engine/engine.ts";
import { explainError } from "../engine/errors/error-messages.ts";
import { resetLockWait, retryWhileBusy, sleep } from "../engine/lock-retry.ts";
import { otherFormat } from "../engine/other-formats.ts";
import { isDamage, isNotADatabase } from "../engine/sqlite-errors.ts";
import { DbError } from "../errors.ts";
import { ERROR, FrameReader, READY, REPLY } from "../protocol/frames.ts";
import type { ReportedChanges, SentError, SentRequest } from "../protocol/operations.ts";
import { handleRequest } from "./operation-handlers.ts";
import { sendFrame, replyOutput } from "./reply-output.ts";

const STDIN = 0;
const CHUNK_BYTES = 64 * 1024;
const STDIN_PAUSE_MS = 5;

/** Serves requests until stdin ends. */
export async function serveDatabase(options: ConnectionOptions): Promise<void> {
  let engine = openEarly(options);
  sendFrame(READY, "");
  for (const request of requests()) {
    resetLockWait(request.queuedMs ?? 0);
    try {
      // Where the early opening failed, this request waits for the lock or reports the reason.
      engine ??= retryWhileBusy(() => new Engine(options));
      engine.followFile(request.op === "versions");
      const changed = request.reportsChanges === true ? listenForChanges() : undefined;
      const reply = await handleRequest(engine, request, replyOutput);
      // Before the reply: its reader may overwrite the file at once.
      engine.endRequest();
      const reported: ReportedChanges = changed === undefined ? {} : { changed: [...changed] };
      sendFrame(REPLY, JSON.stringify(changed === undefined ? reply : { ...(reply as object), ...reported })); // a reply is an object
    } catch (error) {
      sendFrame(ERROR, JSON.stringify(toSentError(error, request, engine, options.file)));
      // A connection that could not be reopened: the next request tries again.
      if (engine?.db.open === false) engine = undefined;
    }
  }
  engine?.close();
}

/** The names that are reported from now on. */
const changes = new Set<string>();
let isListening = false;

function listenForChanges(): ReadonlySet<string> {
  changes.clear();
  if (!isListening)
    subscribe("oarlock:changes", (names) => {
      for (const name of names as string[]) changes.add(name); // of `reportChange`
    });
  isListening = true;
  return changes;
}

/** Opens the database before the first request, which then need not wait. A failure is reported to that request. */
function openEarly(options: ConnectionOptions): Engine | undefined {
  try {
    return new Engine(options);
  } catch {
    return undefined;
  }
}

function* requests(): Generator<SentRequest> {
  const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
  const frames = new FrameReader();
  for (let length = readStdin(chunk); length > 0; length = readStdin(chunk)) {
    frames.push(Buffer.from(chunk.subarray(0, length)));
    while (frames.next()) yield JSON.parse(frames.text) as SentRequest; // our own server wrote it
  }
}

/** Waits for bytes and returns their count; 0 at the end. */
function readStdin(chunk: Buffer): number {
  for (;;) {
    try {
      return readSync(STDIN, chunk, 0, chunk.length, null);
    } catch (error) {
      // Only where pipes are not files (Windows): EOF for the end, EAGAIN for no bytes yet.
      const code = systemErrorCode(error);
      if (code === "EOF") return 0;
      if (code !== "EAGAIN") throw error;
      sleep(STDIN_PAUSE_MS);
    }
  }
}

function toSentError(error: unknown, request: SentRequest, engine: Engine | undefined, file: string): SentError {
  // The message for a damaged file recommends check_database, which cannot go further here.
  const cannotBeChecked = request.op === "check" && isDamage(error);
  const db = engine?.db.open === true ? engine.db : undefined;
  const cause = isNotADatabase(error) ? new DbError("unreadable", otherFormat(file)) : error;
  const explained = cannotBeChecked ? TOO_DAMAGED : explainError(cause, "sql" in request ? request.sql : "", db);
  const message = explained instanceof Error ? explained.message : String(explained);
  if (explained instanceof DbError) return { isExposed: true, code: explained.code, message };
  return { isExposed: false, code: systemErrorCode(explained) ?? "", message };
}

const TOO_DAMAGED = new DbError("damaged", "The database file is damaged so far that it cannot be checked. Restore it from a copy.");
