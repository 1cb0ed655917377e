// Sealer: encrypts and authenticates the state that a client carries (AES-256-GCM). The client cannot read it, change it, or use it for
// another request.
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr#request-state

const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const MIN_SECRET_LENGTH = 16;

interface Key {
  readonly id: Uint8Array;
  readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
}

export class Sealer {
  readonly #secrets: readonly string[];
  #keys: Promise<readonly Key[]> | undefined;

  /**
   * The first secret seals, all of them open, so that keys can be rotated. Without secrets a random one is generated, which no other
   * process knows. Throws a TypeError on a secret of fewer than 16 characters.
   */
  constructor(secrets: readonly string[] = []) {
    if (secrets.some((secret) => secret.length < MIN_SECRET_LENGTH))
      throw new TypeError(`State key too short: expected at least ${MIN_SECRET_LENGTH} characters. Use a longer random secret.`);
    this.#secrets = secrets;
  }

  /** `binding` is authenticated with the text: only the same binding opens it. */
  async seal(text: string, binding: string): Promise<string> {
    const [first] = await this.#loadKeys();
    if (first === undefined) throw new Error("No state key.");
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: bytesOf(binding) }, first.key, bytesOf(text));
    return toBase64([...first.id, ...iv], new Uint8Array(sealed));
  }

  /** The text; undefined when it was changed, or sealed with other keys or another binding. */
  async open(sealed: string, binding: string): Promise<string | undefined> {
    const bytes = fromBase64(sealed);
    if (bytes === undefined || bytes.length <= KEY_ID_BYTES + IV_BYTES) return undefined;
    const found = (await this.#loadKeys()).find(({ id }) => id.every((byte, at) => byte === bytes[at]));
    if (found === undefined) return undefined;
    const iv = bytes.subarray(KEY_ID_BYTES, KEY_ID_BYTES + IV_BYTES);
    try {
      const text = await crypto.subtle.decrypt(
        { name: "AES-GCM", iv, additionalData: bytesOf(binding) },
        found.key,
        bytes.subarray(KEY_ID_BYTES + IV_BYTES),
      );
      return new TextDecoder().decode(text);
    } catch {
      return undefined;
    }
  }

  #loadKeys(): Promise<readonly Key[]> {
    // Imported on first use: loading the random number generator takes longer than the rest of the start.
    return (this.#keys ??= Promise.all((this.#secrets.length > 0 ? this.#secrets : [randomSecret()]).map(keyOf)));
  }
}

const randomSecret = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));

async function keyOf(secret: string): Promise<Key> {
  const digest = await crypto.subtle.digest("SHA-256", bytesOf(secret));
  const key = await crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
  // A digest of the digest names the key without revealing it.
  const id = new Uint8Array(await crypto.subtle.digest("SHA-256", digest)).subarray(0, KEY_ID_BYTES);
  return { id, key };
}

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function toBase64(head: readonly number[], rest: Uint8Array): string {
  let text = String.fromCharCode(...head);
  for (const byte of rest) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]*$/.test(text)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
    // The last letter has spare bits: only the canonical spelling is accepted.
    return toBase64([], bytes) === text ? bytes : undefined;
  } catch {
    return undefined;
  }
}
