// Reads XML as a sequence of events. Declarations of entities are refused: texts that grow by them would fill the memory.
import { Parser } from "htmlparser2";
import { broken, DocumentError } from "../document-error.ts";
import { MAX_DEPTH } from "../limits.ts";

export type Attributes = Readonly<Record<string, string>>;

export interface XmlHandler {
  /** Names without their prefix: `w:p` is `p`. */
  readonly open?: (name: string, attributes: Attributes) => void;
  readonly close?: (name: string) => void;
  readonly text?: (text: string) => void;
}

/** Thrown by a handler that has enough. */
export class EnoughRead extends Error {}

/** `what`: the kind of document and the file in it, for messages. */
export function readXml(bytes: Uint8Array, format: string, name: string, handler: XmlHandler): void {
  const source = decodeXml(bytes);
  if (/<!ENTITY/i.test(source)) throw broken(format, `${name} in it declares entities, which are not expanded`);
  const fail = (why: string): never => {
    throw broken(format, `${name} in it ${why}`);
  };
  if (source.includes("\0")) fail("is damaged");
  let depth = 0;
  let elements = 0;
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        depth += 1;
        elements += 1;
        if (depth > MAX_DEPTH) throw new DocumentError("too-large", `Document too deep: expected at most ${MAX_DEPTH} nested elements.`);
        handler.open?.(localName(tag), attributes);
      },
      onclosetag(tag) {
        depth -= 1;
        handler.close?.(localName(tag));
      },
      ontext: (text) => handler.text?.(text),
    },
    { xmlMode: true },
  );
  try {
    parser.write(source);
    // At its end the parser would close what is open.
    if (depth > 0) fail("ends in the middle");
    parser.end();
  } catch (error) {
    if (error instanceof EnoughRead) return;
    throw error;
  }
  if (elements === 0) fail("is not XML");
}

const localName = (tag: string): string => tag.slice(tag.indexOf(":") + 1);

/** An attribute by its local name. */
export function attribute(attributes: Attributes, name: string): string | undefined {
  if (Object.hasOwn(attributes, name)) return attributes[name];
  for (const [key, value] of Object.entries(attributes)) if (localName(key) === name) return value;
  return undefined;
}

/** UTF-8, or UTF-16 with its mark, which are the encodings of these formats. */
function decodeXml(bytes: Uint8Array): string {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  return new TextDecoder(encoding).decode(bytes);
}
