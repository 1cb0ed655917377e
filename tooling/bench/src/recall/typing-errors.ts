// Typing errors with a fixed seed: a letter is missing, doubled, or swapped with the next one. The first letter stays in most.

const ERRORS: readonly ((word: string, at: number) => string)[] = [
  (word, at) => word.slice(0, at) + word.slice(at + 1),
  (word, at) => word.slice(0, at) + word.charAt(at) + word.slice(at),
  (word, at) => word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2),
];

/** `seed`: which error, and where. The result differs from the word. */
export function withTypingError(word: string, seed: number): string {
  for (let next = seed; ; next++) {
    const at = (next * 7 + 1) % (word.length - 1);
    const changed = ERRORS[next % ERRORS.length]?.(word, at) ?? word;
    if (changed !== word) return changed;
  }
}
