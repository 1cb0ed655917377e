// Values of Postgres as values of JavaScript, and the other way round.
import { decodeText, encodeText } from "./text-encoding.ts";

type Item = string | number | null;
export type PostgresValue = Item | boolean | readonly Item[];

/** By the number of the type in Postgres. Ids and numbers of calls stay far below 2 ** 53. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t",
  17: (text) => Buffer.from(text.slice(2), "hex"),
  20: Number,
  23: Number,
  25: decodeText,
  // Lists of texts within a row.
  114: (text) => decodeJson(JSON.parse(text)),
};

const decodeJson = (value: unknown): unknown =>
  Array.isArray(value) ? value.map(decodeJson) : typeof value === "string" ? decodeText(value) : value;

export const parserOf = (type: number): ((text: string) => unknown) => PARSERS[type] ?? ((text) => text);

export const encodeValue = (value: PostgresValue): unknown =>
  typeof value === "string"
    ? encodeText(value)
    : isList(value)
      ? value.map((item) => (typeof item === "string" ? encodeText(item) : item))
      : value;

const isList = (value: PostgresValue): value is readonly Item[] => Array.isArray(value);
