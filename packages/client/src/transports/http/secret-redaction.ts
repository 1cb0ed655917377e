// SecretRedaction: removes tokens and other secrets from texts that a server or the network may repeat.

/** Shorter values are not treated as secrets: they occur in ordinary text. */
const MIN_LENGTH = 6;
/** Servers repeat the latest tokens; a program may use a new one for each request. */
const MAX_TOKENS = 100;

export class SecretRedaction {
  readonly #secrets = new Set<string>();
  /** In the order of their last use. */
  readonly #tokens = new Set<string>();

  add(secret: string): void {
    if (secret.length >= MIN_LENGTH) this.#secrets.add(secret);
  }

  addToken(token: string): void {
    if (token.length < MIN_LENGTH) return;
    this.#tokens.delete(token);
    this.#tokens.add(token);
    const [oldest] = this.#tokens;
    if (this.#tokens.size > MAX_TOKENS && oldest !== undefined) this.#tokens.delete(oldest);
  }

  apply(text: string): string {
    let redacted = text;
    for (const secret of [...this.#secrets, ...this.#tokens]) redacted = redacted.replaceAll(secret, "[hidden]");
    return redacted;
  }
}
