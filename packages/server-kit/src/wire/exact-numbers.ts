// Numbers of a message that JavaScript cannot hold exactly, so that a tool refuses them in place of using others.

/** Texts, which are skipped, and numbers. */
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;

/** What to say of arguments that hold such a number. */
const problems = new WeakMap<object, string>();

/** Remembers which of the arguments in a message hold a number that the parser has rounded. Only where a number is that large is the text read. */
export function markRoundedNumbers(text: string, allArguments: readonly unknown[]): void {
  const suspects = allArguments.filter((args): args is object => isNode(args) && findNumber(args, mayBeRounded) !== undefined);
  if (suspects.length === 0) return;
  const rounded = new Map<number, string>();
  for (const [token] of text.matchAll(TOKENS)) if (!token.startsWith('"') && isRounded(token)) rounded.set(Number(token), token);
  for (const args of suspects) {
    const number = findNumber(args, (value) => rounded.has(value));
    if (number === undefined) continue;
    const token = (rounded.get(number) ?? "").slice(0, 40);
    problems.set(args, `${token} cannot be read exactly, as it exceeds 2^53. Send it as a string if the tool takes one.`);
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

const mayBeRounded = (value: number): boolean => Math.abs(value) > Number.MAX_SAFE_INTEGER;

const isNode = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The first number that is `wanted`. The message is within the bounds of depth. */
function findNumber(node: object, wanted: (value: number) => boolean): number | undefined {
  for (const value of Object.values(node) as unknown[]) {
    const found = isNode(value) ? findNumber(value, wanted) : typeof value === "number" && wanted(value) ? value : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
