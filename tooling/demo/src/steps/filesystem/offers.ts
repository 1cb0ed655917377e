// Server information, tools, prompts and completion.
import assert from "node:assert/strict";
import type { Step } from "../../show.ts";
import { count, names } from "../../word-lists.ts";
import { pick, textOf } from "./replies.ts";
import type { Scene } from "./scene.ts";

export const greeting: Step<Scene> = {
  title: "greeting",
  async play({ client, revision, facts }, say) {
    assert.equal(client.revision, revision);
    const { name, version } = client.serverInfo;
    if (facts.era === "handshake") {
      await client.ping();
      say(`${name} ${version} agrees on ${revision}, and answers a ping.`);
    } else {
      say(`${name} ${version} serves ${revision} without a handshake: every request is stateless.`);
    }
    say(`It offers ${names(Object.keys(client.capabilities).toSorted())}.`);
  },
};

export const tools: Step<Scene> = {
  title: "tools",
  async play({ client, folder, structured }, say) {
    const all = await client.tools().all();
    const some = ["read_text_file", "edit_file", "search_files"];
    assert.deepEqual(
      some.filter((name) => !all.some((tool) => tool.name === name)),
      [],
    );
    say(`${count(all.length, "tool")}, among them ${names(some)}. The client has a line of plan.md changed:`);
    assert.match(folder.read("plan.md"), /^2\. Buy red paint$/m);
    const edit = { oldText: "red paint", newText: "sea-green paint" };
    const edited = await client.call("edit_file", { path: folder.at("plan.md"), edits: [edit] });
    assert.match(folder.read("plan.md"), /^2\. Buy sea-green paint$/m);
    const diff = textOf(edited)
      .split("\n")
      .filter((line) => /^[-+]\d/.test(line));
    assert.deepEqual(diff, ["-2. Buy red paint", "+2. Buy sea-green paint"]);
    diff.forEach((line) => say(`    ${line}`));
    const read = await client.call("read_text_file", { path: folder.at("plan.md"), tail: 1 });
    assert.match(textOf(read), /^3\. Launch in May/);
    assert.equal(read.structuredContent !== undefined, structured);
    if (!structured) return say("Replies are text: this revision has no structured data.");
    const [etag] = pick(read.structuredContent, "etag");
    assert.match(String(etag), /^\S{8,}$/);
    assert.deepEqual(pick(read.structuredContent, "totalLines", "encoding"), [5, "utf-8"]);
    say("Replies come as text and as data: plan.md has 5 lines of UTF-8, and its etag guards it against lost updates.");
  },
};

export const refusals: Step<Scene> = {
  title: "the wall",
  async play({ client }, say) {
    const outside = await client.call("read_text_file", { path: "/etc/passwd" });
    assert.equal(outside.isError, true);
    assert.match(textOf(outside), /^Access denied/);
    say(`Outside its directories it opens nothing: “${textOf(outside)}”`);
  },
};

export const prompts: Step<Scene> = {
  title: "prompts",
  async play({ client, folder }, say) {
    const all = await client.prompts().all();
    assert.deepEqual(
      all.map(({ name }) => name),
      ["explore_directory", "find_and_replace"],
    );
    const { messages } = await client.prompt("explore_directory", { path: folder.at("letters") });
    assert.equal(messages.length, 2);
    const [instruction, tree] = messages.map(({ content }) => content);
    assert.ok(instruction?.type === "text" && instruction.text.includes(folder.at("letters")));
    assert.ok(tree?.type === "resource" && "text" in tree.resource && tree.resource.text?.includes("harbour-master.txt"));
    say(`${names(all.map(({ name }) => name))}. The first one includes the directory tree for the model.`);
  },
};

export const completion: Step<Scene> = {
  title: "completion",
  async play({ client, folder }, say) {
    const typed = folder.at("l");
    const { values } = await client.complete({ type: "ref/prompt", name: "explore_directory" }, { name: "path", value: typed });
    assert.deepEqual(values, [`${folder.at("letters")}/`]);
    say("The user types …/l for the path of the prompt, and the completion is …/letters/.");
  },
};
