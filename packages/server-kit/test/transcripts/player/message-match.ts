// Compares a message with an expectation: exact equality, except for holes, which match any value of a kind.
import { isObject } from "../../../src/protocol.ts";

/** `"<any>"`, `"<string>"`, `"<number>"`; `"<string:cursor>"` also captures the value, and `"<=cursor>"` stands for it afterwards. */
const HOLE = /^<(any|string|number)(?::(\w+))?>$/;
const CAPTURED = /^<=(\w+)>$/;

/** Values that holes have captured, by name. */
export type CapturedValues = Map<string, unknown>;

/** The differences, one line each, with their paths; empty for a match. Values are captured only from a message that matches. */
export function differences(expected: unknown, received: unknown, captured: CapturedValues): string[] {
  const found: string[] = [];
  const newlyCaptured: CapturedValues = new Map();
  compare(expected, received, "", found, captured, newlyCaptured);
  if (found.length === 0) for (const [name, value] of newlyCaptured) captured.set(name, value);
  return found;
}

function compare(
  expected: unknown,
  received: unknown,
  path: string,
  found: string[],
  captured: CapturedValues,
  newlyCaptured: CapturedValues,
): void {
  const at = path === "" ? "message" : path;
  if (typeof expected === "string") {
    const hole = HOLE.exec(expected);
    if (hole !== null) {
      const [, kind, name] = hole;
      if (received === undefined || (kind !== "any" && typeof received !== kind))
        found.push(`${at}: expected ${expected}, received ${show(received)}`);
      else if (name !== undefined) newlyCaptured.set(name, received);
      return;
    }
    const filled = fillHoles(expected, captured);
    if (filled !== expected) return compare(filled, received, path, found, new Map(), newlyCaptured);
  }
  if (Array.isArray(expected) && Array.isArray(received)) {
    for (let i = 0; i < Math.max(expected.length, received.length); i++) {
      const place = `${path}[${i}]`;
      if (i >= expected.length) found.push(`${place}: not expected, received ${show(received[i])}`);
      else if (i >= received.length) found.push(`${place}: expected ${show(expected[i])}, missing`);
      else compare(expected[i], received[i], place, found, captured, newlyCaptured);
    }
  } else if (isObject(expected) && isObject(received)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(received)])) {
      const place = path === "" ? key : `${path}.${key}`;
      if (!Object.hasOwn(expected, key)) found.push(`${place}: not expected, received ${show(received[key])}`);
      else if (!Object.hasOwn(received, key)) found.push(`${place}: expected ${show(expected[key])}, missing`);
      else compare(expected[key], received[key], place, found, captured, newlyCaptured);
    }
  } else if (expected !== received) found.push(`${at}: expected ${show(expected)}, received ${show(received)}`);
}

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
};

/** Replaces `"<=name>"` by captured values. */
export function fillHoles(value: unknown, captured: CapturedValues): unknown {
  if (typeof value === "string") {
    const name = CAPTURED.exec(value)?.[1];
    return name !== undefined && captured.has(name) ? captured.get(name) : value;
  }
  if (Array.isArray(value)) return value.map((item) => fillHoles(item, captured));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillHoles(item, captured)]));
  return value;
}
