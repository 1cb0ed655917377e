// Many echoes at once, each with a secret of its own that no other may get.
import { expect } from "vitest";
import { textOf } from "./http-talk.ts";
import type { Place } from "./stateless-faces.ts";
import type { As } from "./stateless-message.ts";

const AT_ONCE = 200;

/** What `echo` answers, or the status of a refusal. */
export async function echoed(place: Place, message: string, as?: As): Promise<string> {
  const answer = await place.call("echo", { message }, as);
  return answer.status === 200 ? textOf(await answer.json()) : String(answer.status);
}

/** Sends so many requests with one id, many at a time; each must get its own answer. */
export async function echoMany(place: Place, count: number): Promise<void> {
  const secrets = Array.from({ length: count }, (_, at) => `secret ${at}`);
  const got: string[] = [];
  let next = 0;
  const client = async (): Promise<void> => {
    for (let at = next++; at < secrets.length; at = next++) got[at] = await echoed(place, secrets[at] ?? "");
  };
  await Promise.all(Array.from({ length: AT_ONCE }, client));
  expect(got).toEqual(secrets);
}
