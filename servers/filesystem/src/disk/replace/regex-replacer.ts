// Replaces by a regular expression: ripgrep finds the matches in the text and fills in the groups, in linear time.
import { DiskError } from "../errors.ts";
import { engineBinary } from "../search/contents/engine-choice.ts";
import { replaceArguments } from "../search/ripgrep/arguments.ts";
import { patternError } from "../search/ripgrep/pattern-error.ts";
import { runRipgrep } from "../search/ripgrep/ripgrep-process.ts";
import { inLineEndingsOf } from "../text/line-ending-conversion.ts";
import { decodeKeepingInvalid, encodeKeepingInvalid } from "../text/utf8-damage.ts";
import type { Replacer, ReplaceQuery } from "./replace-query.ts";

/** What ripgrep may write about one file. */
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const NEWLINE = 10;

type Text = { readonly text: string } | { readonly bytes: string };

interface Message {
  readonly type: string;
  readonly data: {
    readonly absolute_offset?: number;
    readonly submatches?: readonly { readonly start: number; readonly end: number; readonly replacement?: Text }[];
  };
}

export function regexReplacer(query: ReplaceQuery): Replacer {
  const binary = engineBinary();
  if (binary === undefined)
    throw new DiskError("invalid", "Regular expressions cannot be replaced here: ripgrep does not run on this machine. Leave regex out.");
  return async (text, signal) => {
    const bytes = encodeKeepingInvalid(text) ?? Buffer.from(text);
    const args = replaceArguments({ ...query, replacement: inLineEndingsOf(text, query.replacement) });
    const pieces = new Pieces(bytes);
    const stop = new AbortController();
    const either = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
    const exit = await runRipgrep(binary, {
      args,
      cwd: process.cwd(),
      input: bytes,
      signal: either,
      onOutput: (chunk) => pieces.push(chunk),
    });
    signal?.throwIfAborted();
    if (pieces.isTooLarge) throw new DiskError("too-large", "Too many matches in one file: expected a regex that matches less.");
    if (exit.code === 2) throw patternError(exit.errors);
    return { text: decodeKeepingInvalid(pieces.joined()), replacements: pieces.count };
  };
}

/** The new bytes, put together from ripgrep's JSON lines. */
class Pieces {
  count = 0;
  isTooLarge = false;
  readonly #bytes: Buffer;
  readonly #parts: Buffer[] = [];
  #done = 0;
  #rest: Buffer[] = [];
  #output = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Returns true when there is too much. */
  push(chunk: Buffer): boolean {
    this.#output += chunk.length;
    this.isTooLarge = this.#output > MAX_OUTPUT_BYTES;
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      this.#add(Buffer.concat([...this.#rest, chunk.subarray(from, end)]).toString());
      this.#rest = [];
      from = end + 1;
    }
    this.#rest.push(chunk.subarray(from));
    return this.isTooLarge;
  }

  joined(): Buffer {
    return Buffer.concat([...this.#parts, this.#bytes.subarray(this.#done)]);
  }

  #add(json: string): void {
    const { type, data } = JSON.parse(json) as Message; // the output of a pinned version of ripgrep
    if (type !== "match") return;
    const { absolute_offset: offset = 0, submatches = [] } = data;
    for (const { start, end, replacement } of submatches) {
      if (replacement === undefined) continue;
      this.#parts.push(this.#bytes.subarray(this.#done, offset + start), bytesOf(replacement));
      this.#done = offset + end;
      this.count += 1;
    }
  }
}

const bytesOf = (text: Text): Buffer => ("text" in text ? Buffer.from(text.text) : Buffer.from(text.bytes, "base64"));
