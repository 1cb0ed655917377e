// One store with several users: another host, another program, and all at once.
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import type { Step } from "../../show.ts";
import { until } from "../../wait-for.ts";
import { dataOf } from "./replies.ts";
import type { Scene } from "./scene.ts";

const add = (entityName: string, text: string) => ({ observations: [{ entityName, contents: [text] }] });

export const subscription: Step<Scene> = {
  title: "subscription",
  async play({ client, other }, say) {
    const heard: string[] = [];
    const boat = "memory://entity/Kittiwake";
    const all = "memory://knowledge-graph";
    for (const uri of [boat, all]) await client.subscribe(uri, (changed) => heard.push(changed));
    dataOf(await other.call("add_observations", add("Kittiwake", "has a new keel")));
    const after = await until("no notification of the other host's write arrived", () => heard.includes(boat) && heard.includes(all));
    assert.match(JSON.stringify(await client.read(boat)), /has a new keel/);
    say(`The client watches ${boat}. Another host, a process of its own, writes: ${after} ms later the client is notified.`);
    await client.unsubscribe(boat);
    const before = heard.filter((uri) => uri === boat).length;
    const count = heard.length;
    dataOf(await other.call("add_observations", add("Kittiwake", "has a new mast")));
    await until("no notification of the change of the graph arrived", () => heard.length > count);
    await client.unsubscribe(all);
    assert.equal(heard.filter((uri) => uri === boat).length, before);
    say("It unsubscribes, and gets no more notifications.");
  },
};

export const together: Step<Scene> = {
  title: "two at once",
  async play({ client, other }, say) {
    const create = (host: typeof client, name: string) =>
      host.call("create_entities", { entities: [{ name, entityType: "plank", observations: [] }] });
    const numbers = Array.from({ length: 20 }, (_, at) => at + 1);
    const results = await Promise.all(
      numbers.flatMap((at) => [create(client, `plank ${at} of one`), create(other, `plank ${at} of the other`)]),
    );
    for (const result of results) dataOf(result);
    const { entities } = dataOf(await client.call("read_graph"));
    const planks = entities.filter(({ entityType }) => entityType === "plank");
    assert.equal(planks.length, 40);
    say(`Both hosts write twenty planks at the same moment: ${planks.length} of 40 are there.`);
  },
};

export const file: Step<Scene> = {
  title: "the file",
  async play({ client, folder }, say) {
    const lines = (): string[] => folder.read("memory.jsonl").split("\n");
    await until("the file did not follow", () => lines().some((line) => line.includes("plank 20 of the other")));
    assert.equal(lines().at(-1), "");
    appendFileSync(
      folder.at("memory.jsonl"),
      '{"type":"entity","name":"Tern","entityType":"boat","observations":["added in an editor"]}\n',
    );
    const from = performance.now();
    for (;;) {
      const { entities } = dataOf(await client.call("open_nodes", { names: ["Tern"] }));
      if (entities.length === 1) break;
      assert.ok(performance.now() - from < 30_000, "the line was not taken");
    }
    say(
      "Next to the store is memory.jsonl, as the reference server writes it. The user adds a line in an editor, and the client can read it.",
    );
  },
};
