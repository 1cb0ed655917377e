// randomId: random ids that cannot be guessed.

/** 192 random bits in characters that any header may hold. */
export function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(24));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}
