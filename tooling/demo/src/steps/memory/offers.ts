// Prompts, completion, an elicitation before a permanent deletion, and the end.
import assert from "node:assert/strict";
import type { Step } from "../../show.ts";
import { names } from "../../word-lists.ts";
import { jsonOf, dataOf } from "./replies.ts";
import { goodbyeStep } from "../../stage.ts";
import type { Scene } from "./scene.ts";

export const prompts: Step<Scene> = {
  title: "prompts",
  async play({ client }, say) {
    const all = await client.prompts().all();
    assert.deepEqual(
      all.map(({ name }) => name),
      ["memory_instructions", "recall", "review_memory"],
    );
    const { messages } = await client.prompt("recall", { topic: "Kittiwake" });
    assert.match(JSON.stringify(messages), /planked in oak/);
    say(`${names(all.map(({ name }) => name))}. “recall” includes the stored facts about the topic.`);
  },
};

export const completion: Step<Scene> = {
  title: "completion",
  async play({ client }, say) {
    const { values } = await client.complete({ type: "ref/resource", uri: "memory://entity/{name}" }, { name: "name", value: "kit" });
    assert.deepEqual(values, ["Kittiwake"]);
    say("The user types kit for the name in memory://entity/{name}, and the completion is Kittiwake.");
  },
};

export const question: Step<Scene> = {
  title: "question",
  async play({ client, facts, asked, answers, folder }, say) {
    const secret = "keeps the key under the anchor";
    dataOf(await client.call("add_observations", { observations: [{ entityName: "Ilse Marten", contents: [secret] }] }));
    const purge = () =>
      client.call("delete_observations", { deletions: [{ entityName: "Ilse Marten", observations: [secret] }], purge: true });
    const knows = async (): Promise<boolean> =>
      dataOf(await client.call("search_nodes", { query: secret })).entities.some(({ observations }) => observations.includes(secret));
    if (!facts.elicit) {
      const refused = await purge();
      assert.equal(refused.isError, true);
      assert.equal(await knows(), true);
      return say(`This revision has no elicitation, so nothing is purged: “${jsonOf(refused).split(". ")[0]}.”`);
    }
    answers.push({ action: "decline" }, { action: "accept", content: { confirm: true } });
    assert.equal((await purge()).isError, true);
    assert.equal(await knows(), true);
    assert.equal((await purge()).isError ?? false, false);
    assert.equal(await knows(), false);
    assert.ok(!jsonOf(await client.call("get_history", { entityName: "Ilse Marten" })).includes(secret));
    assert.ok(!folder.read("memory.jsonl").includes(secret));
    assert.ok(!folder.read("memory.jsonl.db").includes(secret));
    assert.equal(asked.length, 2);
    say(
      `Before a permanent deletion, the user is asked: “${asked[0]}” After they accept, no table, index, history or file contains the text.`,
    );
  },
};

export const goodbye: Step<Scene> = goodbyeStep({
  stdio: "The client closes; the server exits with code 0.",
  HTTP: "The client closes; the server gets SIGTERM and exits with code 0.",
});
