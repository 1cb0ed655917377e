/** Reads one HTTP/1.1 answer out of bytes: as much of HTTP as measuring a server needs, at little cost. */

export interface Answer {
  status: number;
  head: string;
  body: Buffer;
}

const NOTHING = Buffer.alloc(0);
const NEWLINE = Buffer.from("\r\n");
const BLANK_LINE = Buffer.from("\r\n\r\n");

/** Statuses that never have a body (RFC 9110, 6.4.1), and so need no length. */
const BARE = new Set([204, 304]);

/** The value of a header; undefined where the answer has none. */
export function header({ head }: Pick<Answer, "head">, name: string): string | undefined {
  return new RegExp(String.raw`\r\n${name}: *([^\r]+)`, "i").exec(head)?.[1];
}

export interface Read {
  answer: Answer;
  /** Where it ends in the bytes. */
  end: number;
}

/** Status and headers of the answer that the bytes begin with; undefined until all of them are there. */
export function readHead(bytes: Buffer): Read | undefined {
  const blank = bytes.indexOf(BLANK_LINE);
  if (blank === -1) return undefined;
  const head = bytes.toString("latin1", 0, blank);
  return { answer: { status: Number(head.slice(9, 12)), head, body: NOTHING }, end: blank + BLANK_LINE.length };
}

/** The whole answer that the bytes begin with; undefined until all of it is there. */
export function readAnswer(bytes: Buffer): Read | undefined {
  const read = readHead(bytes);
  if (read === undefined) return undefined;
  const { answer, end: from } = read;
  const length = /\r\ncontent-length: *(\d+)/i.exec(answer.head)?.[1];
  if (length === undefined && /\r\ntransfer-encoding: *chunked/i.test(answer.head)) return readChunks(bytes, read);
  if (length === undefined && !BARE.has(answer.status)) throw new Error(`an answer without a length: ${answer.head}`);
  const end = from + Number(length ?? 0);
  if (bytes.length < end) return undefined;
  answer.body = bytes.subarray(from, end);
  return { answer, end };
}

function readChunks(bytes: Buffer, { answer, end: from }: Read): Read | undefined {
  const parts: Buffer[] = [];
  for (let at = from; ;) {
    const sizeEnd = bytes.indexOf(NEWLINE, at);
    if (sizeEnd === -1) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, sizeEnd), 16);
    const begin = sizeEnd + NEWLINE.length;
    at = begin + size + NEWLINE.length;
    if (bytes.length < at) return undefined;
    if (size === 0) {
      answer.body = Buffer.concat(parts);
      return { answer, end: at };
    }
    parts.push(bytes.subarray(begin, begin + size));
  }
}

/** The last JSON-RPC message of a body, as text: the body itself, or the data of the last event that has some. */
export function messageText(body: Buffer): string {
  const text = body.toString();
  if (text.startsWith("{")) return text;
  const data = text.split(/\r?\n/).filter((line) => /^data: *\{/.test(line));
  return data.at(-1)?.replace(/^data: */, "") ?? "";
}
