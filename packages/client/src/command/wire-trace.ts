// --trace: the messages of both sides on stderr. Values whose names promise a secret are replaced.
import { isObject } from "@oarlock/server-kit/protocol";

/** Matches names in lower case, without punctuation. A progress token is not a secret. */
const SECRET = /password|passwd|passphrase|secret|apikey|privatekey|accesskey|credential|authorization|cookie|(?<!progress)token$|^tokens$/;

const isSecretName = (name: string): boolean => SECRET.test(name.toLowerCase().replaceAll(/[^a-z]/g, ""));

/** One line for a message. Text that is not JSON is shown by its length only. */
export function traceLine(direction: "sent" | "received", text: string): string {
  const arrow = direction === "sent" ? "→" : "←";
  try {
    return `${arrow} ${JSON.stringify(withoutSecrets(JSON.parse(text)))}`;
  } catch {
    return `${arrow} [${text.length} characters that are not JSON]`;
  }
}

/** @param owner The name of the member that has this value. */
function withoutSecrets(value: unknown, owner = ""): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    // A schema describes the secret and does not have it.
    const isSchema = owner === "properties" && isObject(member);
    return [name, isSecretName(name) && !isSchema ? "***" : withoutSecrets(member, name)];
  });
  return Object.fromEntries(members);
}
