// Shape functions: the building blocks of the steps. Each returns the value itself when nothing has to change, so that a message without
// newer parts is never copied.
import { isObject, type Json } from "../wire/json-rpc.ts";

export type Shape = (value: Json) => Json;

/** Removes members. */
export const without =
  (...keys: readonly string[]): Shape =>
  (value) => {
    if (!keys.some((key) => key in value)) return value;
    const rest = { ...value };
    for (const key of keys) delete rest[key];
    return rest;
  };

/** Reshapes the object in one member. */
export const inside =
  (key: string, shape: Shape): Shape =>
  (value) => {
    const part = value[key];
    if (!isObject(part)) return value;
    const changed = shape(part);
    return changed === part ? value : { ...value, [key]: changed };
  };

/** Reshapes each object of the list in one member. */
export const each =
  (key: string, shape: Shape): Shape =>
  (value) => {
    const list = value[key];
    if (!Array.isArray(list)) return value;
    let changed: unknown[] | undefined;
    for (let at = 0; at < list.length; at++) {
      const item: unknown = list[at];
      if (!isObject(item)) continue;
      const next = shape(item);
      if (next === item) continue;
      changed ??= [...list];
      changed[at] = next;
    }
    return changed === undefined ? value : { ...value, [key]: changed };
  };

/** Applies the shapes in order. Undefined when there are none. */
export const chain = (...shapes: readonly (Shape | undefined)[]): Shape | undefined => {
  const some = shapes.filter((shape) => shape !== undefined);
  if (some.length < 2) return some[0];
  return (value) => some.reduce((current, shape) => shape(current), value);
};

/** A text inside a content block. Blocks are not validated, so the member may have another type. */
export const textOrEmpty = (value: unknown): string => (typeof value === "string" ? value : "");
