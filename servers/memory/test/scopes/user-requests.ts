// Random requests of two users of one server: no response has anything of the other user.
import type { Client } from "@oarlock/client";
import type { Json } from "@oarlock/server-kit/protocol";
import * as fc from "fast-check";
import { expect } from "vitest";
import { serveUsers } from "./support.ts";
import type { Repetition } from "../support/repetition.ts";

const USERS = ["ada", "grace"] as const;
type UserName = (typeof USERS)[number];

/** Stands in everything that a user writes, except for names. */
const secretOf = (user: UserName): string => `secret-of-${user}`;
const otherOf = (user: UserName): UserName => (user === "ada" ? "grace" : "ada");

/** Both users have entities of these names. */
const name = fc.constantFrom("alpha", "beta", "gamma delta");
const names = fc.array(name, { minLength: 1, maxLength: 3 });
const word = fc.constantFrom("alpha", "secret", "of", "ada", "grace", "secret-of-ada", "secret-of-grace", "", "a");

/** Calls of every tool. `SECRET` is replaced by the user's. */
const toolCall = fc.oneof(
  fc.record({
    tool: fc.constant("create_entities"),
    args: fc.record({
      entities: fc.array(fc.record({ name, entityType: fc.constant("type SECRET"), observations: fc.constant(["fact SECRET"]) }), {
        minLength: 1,
        maxLength: 2,
      }),
    }),
  }),
  fc.record({
    tool: fc.constant("add_observations"),
    args: fc.record({
      observations: fc.array(fc.record({ entityName: name, contents: fc.constant(["more SECRET"]) }), { minLength: 1, maxLength: 2 }),
    }),
  }),
  fc.record({
    tool: fc.constant("create_relations"),
    args: fc.record({
      relations: fc.array(fc.record({ from: name, to: name, relationType: fc.constant("relates SECRET") }), { minLength: 1, maxLength: 2 }),
    }),
  }),
  fc.record({
    tool: fc.constant("update_entities"),
    args: fc.record({ updates: fc.tuple(fc.record({ name, entityType: fc.constant("changed SECRET") })) }),
  }),
  fc.record({ tool: fc.constant("delete_entities"), args: fc.record({ entityNames: names }) }),
  fc.record({
    tool: fc.constant("delete_observations"),
    args: fc.record({ deletions: fc.tuple(fc.record({ entityName: name, observations: fc.constant(["fact SECRET"]) })) }),
  }),
  fc.record({
    tool: fc.constant("delete_relations"),
    args: fc.record({ relations: fc.tuple(fc.record({ from: name, to: name, relationType: fc.constant("relates SECRET") })) }),
  }),
  fc.record({ tool: fc.constantFrom("search_nodes", "inspect_search"), args: fc.record({ query: word }) }),
  fc.record({ tool: fc.constant("open_nodes"), args: fc.record({ names }) }),
  fc.record({ tool: fc.constant("traverse_graph"), args: fc.record({ start: names }) }),
  fc.record({ tool: fc.constantFrom("get_history", "view_neighbours", "view_timeline"), args: fc.record({ entityName: name }) }),
  fc.record({ tool: fc.constantFrom("read_graph", "graph_stats"), args: fc.constant({}) }),
  fc.record({ tool: fc.constant("view_relations"), args: fc.record({ names }) }),
);

/** The templates with their variables. */
const VARIABLES: Readonly<Record<string, string>> = {
  "memory://entity/{name}": "name",
  "memory://type/{entityType}": "entityType",
  "memory://relation/{relationType}": "relationType",
};

/** Completes the variable of a template, or the argument of a prompt. */
const complete = (client: Client, uri: string | undefined, value: string): Promise<unknown> =>
  uri === undefined
    ? client.complete({ type: "ref/prompt", name: "recall" }, { name: "topic", value })
    : client.complete({ type: "ref/resource", uri }, { name: VARIABLES[uri] ?? "", value });

type Request = (client: Client) => Promise<unknown>;

const request = fc.oneof(
  { weight: 5, arbitrary: toolCall.map(({ tool, args }) => ({ what: tool, args: args as Json })) },
  fc.record({
    what: fc.constant("read"),
    uri: fc.constantFrom(
      "memory://knowledge-graph",
      "memory://recent",
      "memory://stats",
      "memory://entity/alpha",
      "memory://type/type%20secret-of-ada",
    ),
  }),
  fc.record({ what: fc.constant("prompt"), args: fc.constantFrom({ topic: "alpha" }, { topic: "secret" }) }),
  fc.record({ what: fc.constantFrom("review_memory", "memory_instructions"), args: fc.constant({}) }),
  fc.record({
    what: fc.constant("complete"),
    uri: fc.constantFrom(...Object.keys(VARIABLES)),
    typed: fc.constantFrom("", "a", "t", "type secret"),
  }),
  fc.record({ what: fc.constant("complete"), typed: fc.constantFrom("", "a") }),
  fc.record({ what: fc.constant("resources") }),
);

function send(user: UserName, asked: { what: string; args?: Json; uri?: string; typed?: string }): Request {
  const args = JSON.parse(JSON.stringify(asked.args ?? {}).replaceAll("SECRET", secretOf(user))) as Json;
  switch (asked.what) {
    case "read":
      return (client) => client.read(asked.uri ?? "");
    case "prompt":
      return (client) => client.prompt("recall", args as Record<string, string>);
    case "review_memory":
    case "memory_instructions":
      return (client) => client.prompt(asked.what, args as Record<string, string>);
    case "complete":
      return (client) => complete(client, asked.uri, asked.typed ?? "");
    case "resources":
      return (client) => client.resources().all();
    default:
      return (client) => client.call(asked.what, args);
  }
}

/** Fails where a user gets something that the other one wrote. */
export async function checkIsolation(revision: string, options: Repetition): Promise<void> {
  const step = fc.record({ user: fc.constantFrom(...USERS), asked: request });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 15, maxLength: 30 }), async (steps) => {
      await using service = await serveUsers({ allowPurge: true });
      await using ada = await service.user("ada", revision);
      await using grace = await service.user("grace", revision);
      const users = { ada, grace };
      for (const user of USERS) await users[user].client.subscribe("memory://knowledge-graph", () => undefined);
      // What was asked is not repeated in results: names are the same for both, and words of a query are not in the other's responses.
      for (const { user, asked } of steps) {
        const before = users[user].received().length;
        await send(user, asked)(users[user].client).catch(() => undefined); // refusals are answers too
        const answer = users[user].received().slice(before);
        const isEcho = JSON.stringify(asked).includes(secretOf(otherOf(user)));
        if (!isEcho) expect(answer).not.toContain(secretOf(otherOf(user)));
      }
    }),
    options,
  );
}
