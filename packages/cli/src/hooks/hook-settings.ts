// Hook settings: puts an item into the list of each event and takes it out again. Everything else stays byte for byte, comments included.
import { isDeepStrictEqual } from "node:util";
import { strictJson } from "../doctor/hosts/json-laxness.ts";
import { withJsonItem, withoutJsonItem } from "../install/json-entry.ts";
import { SettingsError } from "../install/settings-error.ts";
import type { HookPlace } from "./hook-hosts.ts";

const KEY = "hooks";

/** Whether an item of a list was written here, by its command. */
export type IsOwn = (item: unknown) => boolean;

/** The text with one item for each event. */
export function withHooks(text: string, { events, item }: HookPlace, command: string): string {
  const after = events.reduce((before, name) => withJsonItem(before, { key: KEY, name }, item(command)), text);
  return checked(
    text,
    after,
    () => false,
    (hooks) => {
      for (const name of events) hooks[name] = [...(hooks[name] ?? []), item(command)];
    },
  );
}

/** The text without own items. Undefined: the file has nothing else, and was made for them. */
export function withoutHooks(text: string, { events, base }: HookPlace, isOwn: IsOwn): string | undefined {
  let after: string | undefined = text;
  // In reverse order, so that the first one takes the braces with it that were made for it.
  for (const name of events.toReversed()) after = after === undefined ? undefined : withoutJsonItem(after, { key: KEY, name }, isOwn);
  checked(text, after ?? "", isOwn, () => undefined);
  const isMade = base !== undefined && text.startsWith(newFile({ [KEY]: {} }).split(":")[0] ?? "") && after === newFile(base);
  return isMade ? undefined : after;
}

/** A file that is made has the hooks first, by which removal knows it: in others they come last. */
export const newHooks = ({ events, item, base }: HookPlace, command: string): string =>
  newFile({ [KEY]: Object.fromEntries(events.map((name) => [name, [item(command)]])), ...base });

const newFile = (settings: object): string => `${JSON.stringify(settings, undefined, 2)}\n`;

export const hasOwn = (text: string, { events }: HookPlace, isOwn: IsOwn): boolean => {
  const { hooks } = parse(text);
  return events.some((name) => hooks[name]?.some(isOwn));
};

type Lists = Record<string, unknown[]>;

function parse(text: string): { hooks: Lists; rest: object } {
  const { json } = strictJson(text.replace(/^\u{feff}/u, ""));
  let settings: unknown;
  try {
    settings = json.trim() === "" ? {} : JSON.parse(json);
  } catch {
    throw new SettingsError("is not valid JSON. Correct it, or restore it from a copy");
  }
  if (!isRecord(settings)) throw new SettingsError("is not a JSON object. Correct it by hand");
  const { [KEY]: hooks = {}, ...rest } = settings;
  const isOfLists = isRecord(hooks) && Object.values(hooks).every((list) => Array.isArray(list) || !isRecord(list));
  if (!isOfLists) throw new SettingsError(`has no lists of hooks under "${KEY}". Correct it by hand`);
  return { hooks: { ...hooks } as Lists, rest }; // looked at above
}

/** The change is made in the text; that it means what it should is proved by reading it again. */
function checked(before: string, after: string, isOwn: IsOwn, change: (hooks: Lists) => void): string {
  const expected = parse(before);
  for (const [name, list] of Object.entries(expected.hooks))
    if (Array.isArray(list)) expected.hooks[name] = list.filter((item) => !isOwn(item));
  change(expected.hooks);
  if (!isDeepStrictEqual(withoutEmpty(parse(after)), withoutEmpty(expected)))
    throw new SettingsError("is written in a form that cannot be changed here. Change it by hand");
  return after;
}

const withoutEmpty = ({ hooks, rest }: ReturnType<typeof parse>): unknown => ({
  rest,
  hooks: Object.fromEntries(Object.entries(hooks).filter(([, list]) => !Array.isArray(list) || list.length > 0)),
});

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
