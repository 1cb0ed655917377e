/** Correct requests to the fixture server, in every era and over every transport. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "@oarlock/client";
import type { Work, Works } from "../load-generator.ts";
import { MESSAGE_BYTES } from "../server/fixture.ts";
import { fails, must, SOON_MS, succeeds, within } from "./expect.ts";

/** The first revisions with questions by form, and without sessions. */
const ASKS_SINCE = "2025-06-18";

const LARGE = "x".repeat(200_000);

const echo: Work<Client> = async (client, turn) => {
  const text = `hello ${turn}`;
  must((await succeeds(client.call("echo", { text }))) === text, "the echo is another one");
};

/** Starts a call and cancels it a moment later. */
export async function cancelled(client: Client, name: string, args: object, afterMs = 15): Promise<void> {
  const abort = new AbortController();
  const call = client.call(name, { ...args }, { signal: abort.signal });
  call.catch(() => undefined);
  await sleep(afterMs);
  abort.abort(new Error("given up"));
  await call.then(
    () => undefined,
    () => undefined,
  );
}

/** Subscribes, makes a change, waits for the notification, and unsubscribes. */
export async function watched(client: Client, uri: string, change: () => Promise<unknown>): Promise<void> {
  const heard = Promise.withResolvers<void>();
  await client.subscribe(uri, () => heard.resolve());
  try {
    await change();
    await within(SOON_MS, `notification of ${uri}`, heard.promise);
  } finally {
    await client.unsubscribe(uri);
  }
}

/** Listens to a list, changes it, and stops. */
async function listened(client: Client): Promise<void> {
  const listening = client.listen({ tools: true });
  try {
    await listening.ready;
    const news = listening.next();
    await succeeds(client.call("grow"));
    await within(SOON_MS, "notification of the tools", news);
  } finally {
    listening.close();
  }
}

export const KIT: Works<Client> = {
  echo,
  ping: (client) => client.ping(),
  "many at once": async (client, turn) => {
    await Promise.all(Array.from({ length: 20 }, (_, at) => echo(client, turn + at)));
  },
  "large message": async (client) => must((await succeeds(client.call("echo", { text: LARGE }))).length === LARGE.length, "cut"),
  "large answer": async (client) => must((await succeeds(client.call("big", { bytes: 500_000 }))).length === 500_000, "cut"),
  // On a pipe the server cannot know the id of such a request, so the client never gets its answer.
  "too large": (client) => fails(client.call("echo", { text: "x".repeat(MESSAGE_BYTES) }, { timeoutMs: 200 })),
  lists: async (client) => {
    must((await Array.fromAsync(client.tools())).length > 5, "tools are missing");
    must((await Array.fromAsync(client.templates())).length > 0, "templates are missing");
    must((await Array.fromAsync(client.prompts())).length > 0, "prompts are missing");
  },
  prompt: async (client) => must((await client.prompt("greet", { who: "Ada" })).messages.length === 1, "no prompt"),
  complete: async (client) => {
    const { values } = await client.complete({ type: "ref/resource", uri: "fixture://item/{name}" }, { name: "name", value: "" });
    must(values.length === 3, "completions are missing");
  },
  read: async (client, turn) => must((await client.read(`fixture://item/${turn % 9}`)).contents.length === 1, "no contents"),
  wait: async (client) => must((await succeeds(client.call("wait", { ms: 30 }))) === "waited", "not waited"),
  cancelled: (client) => cancelled(client, "wait", { ms: 60_000 }),
  "cancelled in the middle": (client) => cancelled(client, "steps", { count: 50, ms: 5 }, 40),
  "past its time": (client) => fails(client.call("wait", { ms: 60_000 })),
  progress: async (client) => {
    let steps = 0;
    await succeeds(client.call("steps", { count: 5, ms: 3 }, { onProgress: () => steps++ }));
    must(steps > 0, "no progress");
  },
  log: async (client) => {
    await client.setLevel("info");
    await succeeds(client.call("steps", { count: 2, ms: 1, size: 2000 }));
    await client.setLevel("error");
  },
  question: async (client) => {
    const call = client.call("ask", { kinds: ["elicit"] });
    if (client.revision < ASKS_SINCE) return fails(call);
    must((await succeeds(call)) === "yes", "not accepted");
  },
  subscribed: (client, turn) =>
    watched(client, `fixture://item/${turn}`, () => succeeds(client.call("touch", { item: String(turn), value: "new" }))),
  listened,
  "tool that fails": (client) => fails(client.call("fail")),
  "no such tool": (client) => fails(client.call("nothing")),
  "wrong arguments": (client) => fails(client.call("echo", { text: 1 })),
  "no such method": (client) => fails(client.request("no/such/method")),
  "no such resource": (client) => fails(client.read("fixture://nowhere")),
};
