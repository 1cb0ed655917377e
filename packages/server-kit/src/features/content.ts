// Return values of tools, and the content blocks that they are made of.
// https://modelcontextprotocol.io/specification/2026-07-28/server/tools#tool-result
import type {
  Annotations,
  AudioBlock,
  Block,
  CallToolResult,
  EmbeddedResource,
  ImageBlock,
  Meta,
  Resource,
  ResourceContents,
  ResourceLink,
  TextBlock,
} from "../protocol/types.ts";
import { isObject } from "../wire/json-rpc.ts";
import { truncate } from "./schema/schema.ts";

/** A text block. */
export const text = (value: string, annotations?: Annotations): TextBlock => ({
  type: "text",
  text: value,
  ...(annotations && { annotations }),
});
/** A value as JSON in a text block. */
export const json = (value: unknown): TextBlock => ({ type: "text", text: JSON.stringify(value) });
/** Bytes in base64, which other values are already. Node encodes natively; elsewhere in pieces that fit a call. */
export function toBase64(data: string | Uint8Array): string {
  if (typeof data === "string") return data;
  if (typeof Buffer !== "undefined") return Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64");
  let text = "";
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return btoa(text);
}
/** An image; `data` is bytes or base64. */
export const image = (data: string | Uint8Array, mimeType: string): ImageBlock => ({ type: "image", data: toBase64(data), mimeType });
/** Audio; `data` is bytes or base64. Revisions without audio get it as an embedded resource. */
export const audio = (data: string | Uint8Array, mimeType: string): AudioBlock => ({ type: "audio", data: toBase64(data), mimeType });
/** A link that the client may read later. Revisions without links get its name and address as text. */
export const link = (resource: Resource): ResourceLink => ({ type: "resource_link", ...resource });
/** The contents of a resource, inside the result; `blob` is bytes or base64. */
export const embed = (contents: ResourceContents | (Omit<ResourceContents, "text"> & { blob: Uint8Array })): EmbeddedResource => ({
  type: "resource",
  resource: "blob" in contents ? { ...contents, blob: toBase64(contents.blob) } : contents,
});

/**
 * JSON that is already serialized, for example by another process. It is sent unchanged and is not checked against the declared
 * output: its producer is responsible for it.
 */
export class EncodedJson {
  readonly json: string;

  constructor(json: string) {
    this.json = json;
  }

  /** The value, for code that does not know this class. */
  toJSON(): unknown {
    return JSON.parse(this.json);
  }
}

/** A text block whose text is already serialized: `json` is a JSON string with its quotes. */
export const encodedText = (json: string): TextBlock => ({ type: "text", text: new EncodedJson(json) as unknown as string }); // as its toJSON gives one

/** The parts of a reply, given separately. A result of another MCP server fits, with its `structuredContent` as `structured`. */
export interface ContentAndStructured<T> {
  content: string | Block[];
  /** A value of the declared output. An error needs none. */
  structured?: T | EncodedJson | undefined;
  isError?: boolean | undefined;
  /** Extra data for hosts, which models do not see. */
  _meta?: Meta | undefined;
}

/**
 * Return value of a tool: text, blocks, a value of the declared output, or the parts of a reply separately. With a declared output, content
 * alone is refused: text by the compiler, blocks when the tool runs.
 */
export type ToolReturn<T> = ([T] extends [never] ? string : never) | Block[] | ContentAndStructured<T> | T; // never: no output is declared

/** Members that make a returned object with `content` the parts of a reply, so that no declared output has them beside `content`. */
export const REPLY_MEMBERS = ["structured", "isError", "_meta"] as const;

export function isContentAndStructured(value: unknown): value is ContentAndStructured<unknown> {
  return typeof value === "object" && value !== null && "content" in value && REPLY_MEMBERS.some((member) => member in value);
}

/** Whether a returned value is text or blocks. */
export const isContent = (value: unknown): value is string | Block[] =>
  typeof value === "string" || (Array.isArray(value) && value.every((block) => typeof block?.type === "string"));

function blocksOf(content: string | Block[], owner: string): Block[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  for (const block of content) checkBlock(block, owner);
  return content;
}

/** What a block of each type needs, and how to get it. */
const NEEDS: Readonly<Record<string, readonly [members: readonly string[], remedy: string]>> = {
  text: [["text"], "text(…)"],
  image: [["data", "mimeType"], "image(bytes, mimeType)"],
  audio: [["data", "mimeType"], "audio(bytes, mimeType)"],
  resource_link: [["uri", "name"], "link({ uri, name })"],
  resource: [["uri"], "embed({ uri, text })"],
};

/** Throws a TypeError on a block for which clients refuse the whole result. */
export function checkBlock(block: Block, owner: string): void {
  const [members, remedy] = Object.hasOwn(NEEDS, block.type) ? (NEEDS[block.type] ?? []) : [];
  if (members === undefined)
    throw new TypeError(`${owner} returned a block of type "${truncate(block.type, 64)}": expected ${Object.keys(NEEDS).join(", ")}.`);
  const holder: unknown = block.type === "resource" ? block.resource : block;
  const isText = (member: string): boolean =>
    isObject(holder) && (typeof holder[member] === "string" || holder[member] instanceof EncodedJson);
  if (members.every(isText) && (block.type !== "resource" || isText("text") || isText("blob"))) return;
  throw new TypeError(`${owner} returned a block of type "${block.type}" that lacks its members as text. Make it by ${remedy}.`);
}

/** Older revisions drop structured content of another type than object, so encoded JSON of another type is decoded for them to see. */
const decodedUnlessObject = (structured: unknown): unknown =>
  structured instanceof EncodedJson && !/^\s*\{/.test(structured.json) ? structured.toJSON() : structured;

/** The result of a tool whose structured value needs no check. Throws, naming the tool, on a value of another type. */
export function toResult(value: unknown, owner: string): CallToolResult {
  if (isContent(value)) return { content: blocksOf(value, owner) };
  const renamed = renameAdvice(value);
  if (renamed !== "") throw new TypeError(`${owner} returned structuredContent${renamed}`);
  if (!isContentAndStructured(value) && !hasContentOnly(value))
    throw new TypeError(`${owner} returned ${typeOf(value)}; expected text, blocks, or a value with a declared output`);
  const { content, structured, isError, _meta } = value;
  if (!isContent(content)) throw new TypeError(`${owner} returned ${typeOf(content)} as content; expected text, blocks`);
  return {
    content: blocksOf(content, owner),
    ...(structured !== undefined && { structuredContent: decodedUnlessObject(structured) }),
    ...(isError === true && { isError }),
    ...(_meta !== undefined && { _meta }),
  };
}

/** The remedy for a result in the form of the protocol, whose structured value would be lost; empty for any other value. */
export const renameAdvice = (value: unknown): string =>
  isObject(value) && "content" in value && value.structuredContent !== undefined && value.structured === undefined && value.isError !== true
    ? ". Rename structuredContent to structured."
    : "";

/** The parts of a reply of which only the content is given. With a declared output this is a value of it. */
const hasContentOnly = (value: unknown): value is ContentAndStructured<unknown> =>
  typeof value === "object" && value !== null && Object.keys(value).join() === "content";

/** The type of a returned value, for error messages. */
export const typeOf = (value: unknown): string => (value === null ? "null" : Array.isArray(value) ? "a list" : typeof value);
