// Numbers of a message that JavaScript cannot hold exactly, so that a tool refuses them in place of using others.

/** Fewer digits are exact. */
const MAY_BE_INEXACT = /\d{16}|[eE]\+?\d{3}/;
/** Texts, which are skipped, and numbers. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** What to say of arguments that hold such a number. */
const problems = new WeakMap<object, string>();

/** Remembers which of the arguments in a message hold a number that the parser has rounded. Most messages cost one search. */
export function markRoundedNumbers(text: string, allArguments: readonly unknown[]): void {
  if (!MAY_BE_INEXACT.test(text)) return;
  const rounded = new Map<number, string>();
  for (const [token] of text.matchAll(TOKENS)) if (!token.startsWith('"') && isRounded(token)) rounded.set(Number(token), token);
  if (rounded.size === 0) return;
  for (const args of allArguments) {
    const token = typeof args === "object" && args !== null ? findNumber(args, rounded) : undefined;
    if (token === undefined) continue;
    problems.set(
      args as object,
      `${token.slice(0, 40)} cannot be read exactly, as it exceeds 2^53. Send it as a string if the tool takes one.`,
    );
  }
}

/** Why these arguments cannot be used; undefined where all their numbers are exact. */
export const roundedNumber = (args: object): string | undefined => problems.get(args);

/** Fractions are rounded everywhere; whole numbers are expected to arrive as they are. */
function isRounded(token: string): boolean {
  const value = Number(token);
  if (!Number.isFinite(value)) return true;
  if (!/^-?\d{16,}$/.test(token)) return false;
  return Math.abs(value) < 1e21 ? String(value) !== token : BigInt(token) !== BigInt(value);
}

/** The message is within the bounds of depth. */
function findNumber(node: object, rounded: ReadonlyMap<number, string>): string | undefined {
  for (const value of Object.values(node) as unknown[]) {
    const found =
      typeof value === "number" ? rounded.get(value) : typeof value === "object" && value !== null ? findNumber(value, rounded) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
