// Compares a message with an expectation: exact equality, but for holes that stand for any value of a kind.
import { isObject, type Json } from "@oarlock/server-kit/protocol";

/** `"<any>"`, `"<string>"`, `"<number>"`; `"<string:cursor>"` also keeps what came, and `"<=cursor>"` is that value again. */
const HOLE = /^<(any|string|number)(?::(\w+))?>$/;
const KEPT = /^<=(\w+)>$/;

/** Values that holes have kept, by name. */
export type Kept = Map<string, unknown>;

/** Differences, one line each, by path; none when they match. Values are kept only when all of it matches. */
export function differences(expected: unknown, came: unknown, kept: Kept): string[] {
  const found: string[] = [];
  const seen: Kept = new Map();
  compare(expected, came, "", found, kept, seen);
  if (found.length === 0) for (const [name, value] of seen) kept.set(name, value);
  return found;
}

function compare(expected: unknown, came: unknown, path: string, found: string[], kept: Kept, seen: Kept): void {
  const at = path === "" ? "the message" : path;
  if (typeof expected === "string") {
    const hole = HOLE.exec(expected);
    if (hole !== null) {
      const [, kind, name] = hole;
      if (came === undefined || (kind !== "any" && typeof came !== kind)) found.push(`${at}: expected ${expected}, came ${show(came)}`);
      else if (name !== undefined) seen.set(name, came);
      return;
    }
    const filled = fill(expected, kept);
    if (filled !== expected) return compare(filled, came, path, found, new Map(), seen);
  }
  if (Array.isArray(expected) && Array.isArray(came)) {
    for (let i = 0; i < Math.max(expected.length, came.length); i++) {
      const place = `${path}[${i}]`;
      if (i >= expected.length) found.push(`${place}: not expected, came ${show(came[i])}`);
      else if (i >= came.length) found.push(`${place}: expected ${show(expected[i])}, missing`);
      else compare(expected[i], came[i], place, found, kept, seen);
    }
  } else if (isObject(expected) && isObject(came)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(came)])) {
      const place = path === "" ? key : `${path}.${key}`;
      if (!Object.hasOwn(expected, key)) found.push(`${place}: not expected, came ${show(came[key])}`);
      else if (!Object.hasOwn(came, key)) found.push(`${place}: expected ${show(expected[key])}, missing`);
      else compare(expected[key], came[key], place, found, kept, seen);
    }
  } else if (expected !== came) found.push(`${at}: expected ${show(expected)}, came ${show(came)}`);
}

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

/** Puts kept values in the places of `"<=name>"`. */
export function fill(value: unknown, kept: Kept): unknown {
  if (typeof value === "string") {
    const name = KEPT.exec(value)?.[1];
    return name !== undefined && kept.has(name) ? kept.get(name) : value;
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, kept));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, kept)]));
  return value;
}

/** What came, with the holes of an older expectation in the places where they still fit. */
export function withHoles(expected: unknown, came: unknown): unknown {
  if (typeof expected === "string" && (HOLE.test(expected) || KEPT.test(expected))) {
    return KEPT.test(expected) || differences(expected, came, new Map()).length === 0 ? expected : came;
  }
  if (Array.isArray(expected) && Array.isArray(came)) return came.map((item, at) => withHoles(expected[at], item));
  if (isObject(expected) && isObject(came)) {
    const merged: Json = {};
    for (const [key, item] of Object.entries(came)) merged[key] = withHoles(expected[key], item);
    return merged;
  }
  return came;
}
