// Sealer: encrypts state that a client carries, so that it can neither read, change nor reuse it elsewhere (AES-256-GCM).
// https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/mrtr#request-state

const KEY_ID = 4;
const IV = 12;

interface Key {
  readonly id: Uint8Array;
  readonly key: Awaited<ReturnType<typeof crypto.subtle.importKey>>;
}

export class Sealer {
  readonly #secrets: readonly string[];
  #keys: Promise<readonly Key[]> | undefined;

  /**
   * The first secret seals, all of them open, so that keys can be rotated. Without any, a random one is made, which no other process
   * knows. Throws a TypeError on a secret of fewer than 16 characters.
   */
  constructor(secrets: readonly string[] = []) {
    if (secrets.some((secret) => secret.length < 16)) throw new TypeError("a state key has at least 16 characters");
    this.#secrets = secrets;
  }

  /** `bound` is authenticated with the text: it opens only with exactly the same. */
  async seal(text: string, bound: string): Promise<string> {
    const [first] = await this.#all();
    if (first === undefined) throw new Error("no key to seal with");
    const iv = crypto.getRandomValues(new Uint8Array(IV));
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv, additionalData: bytesOf(bound) }, first.key, bytesOf(text));
    return toBase64([...first.id, ...iv], new Uint8Array(sealed));
  }

  /** The text; undefined when it was not sealed with these keys and this binding, or was changed.*/
  async open(sealed: string, bound: string): Promise<string | undefined> {
    const bytes = fromBase64(sealed);
    if (bytes === undefined || bytes.length <= KEY_ID + IV) return undefined;
    const found = (await this.#all()).find(({ id }) => id.every((byte, at) => byte === bytes[at]));
    if (found === undefined) return undefined;
    const iv = bytes.subarray(KEY_ID, KEY_ID + IV);
    try {
      const text = await crypto.subtle.decrypt(
        { name: "AES-GCM", iv, additionalData: bytesOf(bound) },
        found.key,
        bytes.subarray(KEY_ID + IV),
      );
      return new TextDecoder().decode(text);
    } catch {
      return undefined;
    }
  }

  #all(): Promise<readonly Key[]> {
    // Made on first use: loading the random number generator takes longer than the rest of the start.
    return (this.#keys ??= Promise.all((this.#secrets.length > 0 ? this.#secrets : [randomSecret()]).map(keyOf)));
  }
}

const randomSecret = (): string => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));

async function keyOf(secret: string): Promise<Key> {
  const digest = await crypto.subtle.digest("SHA-256", bytesOf(secret));
  const key = await crypto.subtle.importKey("raw", digest, "AES-GCM", false, ["encrypt", "decrypt"]);
  // A digest of the digest names the key without revealing it.
  const id = new Uint8Array(await crypto.subtle.digest("SHA-256", digest)).subarray(0, KEY_ID);
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
