// The bearer token in a file, so that it does not stand in the list of processes.
import { open } from "node:fs/promises";

const MAX_BYTES = 64 * 1024;

/** Throws an Error that names the file and never its content. */
export async function readTokenFile(path: string): Promise<string> {
  const name = `Token file ${JSON.stringify(path)}`;
  const token = (await readBounded(path, name)).trim();
  if (token === "") throw new Error(`${name} is empty. Write the token there.`);
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new Error(`${name} has no valid token: visible ASCII characters without spaces are expected, and no "Bearer" before them.`);
  return token;
}

async function readBounded(path: string, name: string): Promise<string> {
  const failed = (error: unknown): Error => new Error(`${name} cannot be read: ${reasonOf(error)}. Check --token-file.`, { cause: error });
  const file = await open(path).catch((error: unknown) => Promise.reject(failed(error)));
  try {
    if ((await file.stat()).isDirectory()) throw new Error(`${name} is a folder. Name a file with --token-file.`);
    const buffer = Buffer.alloc(MAX_BYTES + 1);
    let length = 0;
    // A pipe gives its text in pieces.
    while (length < buffer.length) {
      const { bytesRead } = await file
        .read(buffer, length, buffer.length - length, null)
        .catch((error: unknown) => Promise.reject(failed(error)));
      if (bytesRead === 0) return buffer.toString("utf8", 0, length);
      length += bytesRead;
    }
    throw new Error(`${name} is longer than ${MAX_BYTES / 1024} KiB. Name the file that has the token only.`);
  } finally {
    await file.close();
  }
}

const REASONS: Readonly<Record<string, string>> = { ENOENT: "it does not exist", EACCES: "permission denied", EISDIR: "it is a folder" };

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return ("code" in error && typeof error.code === "string" ? REASONS[error.code] : undefined) ?? error.message;
}
