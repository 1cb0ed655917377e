// Errors of the memory, with messages for the caller of a tool.
import { DomainError, systemErrorCode } from "@oarlock/domain-kit";

export type GraphErrorCode = "away" | "invalid" | "not-found" | "busy" | "full" | "read-only" | "damaged" | "moved" | "io";

export class GraphError extends DomainError<GraphErrorCode> {
  override readonly name = "GraphError";
}

/** What is wrong with the file of a memory: it can be read no more, has lost its name, or cannot be opened or written. */
export type FileFault = "damaged" | "moved" | "unusable";

/** Undefined for an error that is not one of the file. */
function fileFaultOf(error: unknown): FileFault | undefined {
  if (!(error instanceof GraphError)) return undefined;
  const { code } = error;
  if (code === "damaged" || code === "moved") return code;
  return code === "io" || code === "read-only" ? "unusable" : undefined;
}

/** Reports what `work` finds wrong with the file of a memory, or undefined where it could use the file. */
export async function reportingFaults<T>(work: PromiseLike<T>, report: (fault: FileFault | undefined) => void): Promise<T> {
  try {
    const result = await work;
    report(undefined);
    return result;
  } catch (error) {
    const fault = fileFaultOf(error);
    if (fault !== undefined) report(fault);
    throw error;
  }
}

/** A newer server has upgraded the memory: every store and every command refuses it with this sentence. */
export const newerFormat = (found: number, supported: number): GraphError =>
  new GraphError(
    "invalid",
    `Memory has format ${found}, and this server reads up to format ${supported}: a newer server has upgraded it. Nothing was changed. Update this server, or restore a backup from before the upgrade.`,
  );

/** The code of an error of the operating system or of SQLite for a message, such as "ENOENT" or "SQLITE_FULL". */
export const codeForMessage = (error: unknown): string => systemErrorCode(error) ?? "unknown error";

/** The same, or the message of a GraphError. */
export const reasonForMessage = (error: unknown): string =>
  error instanceof GraphError ? error.message : (systemErrorCode(error) ?? String(error));

/** Whether another connection holds a lock on the database. */
export const isBusy = (error: unknown): boolean => /^SQLITE_(?:BUSY|LOCKED)/.test(systemErrorCode(error) ?? "");

/** Makes a GraphError of an error of SQLite or of the operating system. Returns other errors unchanged. */
export function toGraphError(error: unknown): unknown {
  if (!(error instanceof Error) || !("syscall" in error)) return sqliteToGraphError(error);
  return new GraphError(
    "io",
    `Cannot use the files of the memory (${codeForMessage(error)}). Check that the disk is available and the files are writable.`,
  );
}

/** Makes a GraphError of an error of SQLite. Returns other errors unchanged. */
export function sqliteToGraphError(error: unknown): unknown {
  const code = systemErrorCode(error) ?? "";
  if (error instanceof GraphError || !code.startsWith("SQLITE_")) return error;
  if (isBusy(error))
    return new GraphError("busy", "Memory busy: another process holds its lock (database is locked). Nothing was changed. Try again.");
  if (code.startsWith("SQLITE_FULL"))
    return new GraphError("full", "Disk full: no space is left for the memory. Nothing was changed. Make room and try again.");
  if (code.startsWith("SQLITE_READONLY") || code.startsWith("SQLITE_CANTOPEN") || code === "SQLITE_PERM")
    return new GraphError(
      "read-only",
      `Cannot write the memory (${code}): its file or folder is read-only. Nothing was changed. Check the permissions.`,
    );
  if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB"))
    return new GraphError(
      "damaged",
      `Memory database damaged (${code}). Its operator can restore a backup, or see with oarlock-memory verify what can be read.`,
    );
  if (/^SQLITE_(?:IOERR_(?:SHM|LOCK|UNLOCK|RDLOCK)|PROTOCOL)/.test(code))
    return new GraphError(
      "io",
      `Folder of the memory does not support the locks of SQLite (${code}), as some network folders do not. Nothing was changed. Name a file on a local disk with --db or MEMORY_FILE_PATH.`,
    );
  if (code.startsWith("SQLITE_IOERR"))
    return new GraphError("io", `Disk error at the memory (${code}). Nothing was changed. Check the disk.`);
  if (code === "SQLITE_TOOBIG")
    return new GraphError("invalid", "Text too large for the database. Nothing was changed. Divide it into several observations.");
  return error;
}
