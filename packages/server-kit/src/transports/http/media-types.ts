// Content-Type and Accept headers, parsed by their grammar. https://www.rfc-editor.org/rfc/rfc9110#section-8.3
import type { RequestHeaders } from "./request-headers.ts";
import { HttpError } from "./responses.ts";

/** Throws an HttpError (415) unless the body is plain JSON. */
export function checkContentType({ contentType, contentEncoding }: RequestHeaders): void {
  if (!isJson(contentType)) throw new HttpError(415, "Content-Type not supported: expected application/json in UTF-8.");
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== "identity") {
    throw new HttpError(415, "Content-Encoding not supported: expected an uncompressed body.", {
      headers: ["Accept-Encoding", "identity"],
    });
  }
}

/** Throws an HttpError (406) unless the client accepts both forms of a response. */
export function checkAccept({ accept }: RequestHeaders): void {
  if (acceptsJson(accept) && acceptsEvents(accept)) return;
  throw new HttpError(406, "Accept header not supported: expected both application/json and text/event-stream.");
}

/** Throws an HttpError (406) unless the client accepts an event stream. */
export function checkAcceptsEvents({ accept }: RequestHeaders): void {
  if (!acceptsEvents(accept)) throw new HttpError(406, "Accept header not supported: expected text/event-stream.");
}

const PARAMETER = /^[!#$%&'*+.^_`|~0-9a-z-]+=(?:[!#$%&'*+.^_`|~0-9a-z-]+|"[^"\\]*")$/;
const UTF8 = /^charset=(?:utf-?8|"utf-?8")$/;

export function isJson(value: string | undefined): boolean {
  if (value === undefined || !/^[\t\x20-\x7e]*$/.test(value)) return false;
  const [type, ...parameters] = value.split(";").map((part) => part.trim().toLowerCase());
  return (
    type === "application/json" &&
    parameters.every((one) => one === "" || (PARAMETER.test(one) && (!one.startsWith("charset=") || UTF8.test(one))))
  );
}

export const acceptsJson = (value: string | undefined): boolean => accepts(value, "application/json");
export const acceptsEvents = (value: string | undefined): boolean => accepts(value, "text/event-stream");

/** Whether the most specific matching range of an Accept value has a weight above 0. A missing header accepts nothing. */
function accepts(value: string | undefined, type: string): boolean {
  const ranges = [type, `${type.split("/")[0]}/*`, "*/*"];
  let best = ranges.length;
  let isAccepted = false;
  for (const part of value?.split(",") ?? []) {
    const [range = "", ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
    const rank = ranges.indexOf(range);
    if (rank === -1 || rank > best) continue;
    const weight = parameters.find((one) => one.startsWith("q="))?.slice(2);
    best = rank;
    isAccepted = weight === undefined || Number(weight) > 0;
  }
  return isAccepted;
}
