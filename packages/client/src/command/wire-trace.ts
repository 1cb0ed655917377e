// --trace: the messages of both sides on stderr, without secrets.
import { isObject } from "@oarlock/server-kit/protocol";

const SECRET = /^(?:authorization|password|passphrase|secret|client_?secret|api_?-?key|token|access_?token|refresh_?token|id_?token)$/i;

/** One line for a message. Text that is not JSON is shown by its length only. */
export function traceLine(direction: "sent" | "received", text: string): string {
  const arrow = direction === "sent" ? "→" : "←";
  try {
    return `${arrow} ${JSON.stringify(JSON.parse(text), (key, value: unknown) => (SECRET.test(key) && !isObject(value) ? "***" : value))}`;
  } catch {
    return `${arrow} [${text.length} characters that are not JSON]`;
  }
}
