// What stands in the body of a refusal: an error of the protocol says more than a status.
import { isId, isObject, kindOf, type Id, type Json } from "@oarlock/server-kit/protocol";

function parsed(body: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a refusal's text answers this request all the same. */
export function isAnswerTo(id: Id, body: string): boolean {
  const value = parsed(body);
  return value !== undefined && kindOf(value) === "response" && value.id === id;
}

/** The same for a POST of one request alone: an error without an id can only be its. Gives the text with the id in it. */
export function answerAlone(id: Id, body: string): string | undefined {
  const value = parsed(body);
  if (value === undefined || !isObject(value.error) || typeof value.error.code !== "number") return undefined;
  if (isId(value.id)) return value.id === id ? body : undefined;
  return JSON.stringify({ ...value, jsonrpc: "2.0", id });
}
