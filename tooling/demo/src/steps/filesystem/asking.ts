// Client requests: roots, and an elicitation before a file is overwritten.
import assert from "node:assert/strict";
import type { Step } from "../../show.ts";
import { until } from "../../wait-for.ts";
import { done, textOf } from "./replies.ts";
import { uriOf, type Scene } from "./scene.ts";

export const question: Step<Scene> = {
  title: "question",
  async play({ client, folder, facts, asked, answers }, say) {
    folder.write({ "old.txt": "the old plan\n" });
    folder.write({ "new.txt": "the new plan\n" });
    const move = () => client.call("move_file", { source: "new.txt", destination: "old.txt", overwrite: true });
    if (!facts.elicit) {
      const refused = await move();
      assert.equal(refused.isError, true);
      assert.equal(folder.read("old.txt"), "the old plan\n");
      return say(`This revision has no elicitation, so the server does not overwrite: “${textOf(refused)}”`);
    }
    answers.push({ action: "decline" }, { action: "accept", content: { confirm: true } });
    assert.equal((await move()).isError, true);
    assert.equal(folder.read("old.txt"), "the old plan\n");
    done(await move());
    assert.equal(folder.read("old.txt"), "the new plan\n");
    assert.equal(asked.length, 2);
    say(`Before a move overwrites a file, the user is asked: “${asked[0]}”`);
    say("The user declines the first time, and nothing happens; the second time they accept, and the file is moved.");
  },
};

export const roots: Step<Scene> = {
  title: "roots",
  async play({ client, folder, facts, listChanges }, say) {
    const read = async (name: string) => textOf(await client.call("read_text_file", { path: folder.at(name) }));
    if (facts.era === "stateless") {
      assert.match(await read("old.txt"), /plan/);
      client.setRoots([{ uri: uriOf(folder.at("letters")) }]);
      assert.match(await read("old.txt"), /^Access denied/);
      assert.match(await read("letters/harbour-master.txt"), /slipway/);
      return say("The client narrows its roots to the letters. Each call requests the roots, so the next one cannot read the plan.");
    }
    await until("the first roots were not taken", () => listChanges() > 0);
    const before = listChanges();
    assert.match(await read("old.txt"), /plan/);
    client.setRoots([{ uri: uriOf(folder.at("letters")) }]);
    const after = await until("the new roots were not taken", () => listChanges() > before);
    assert.match(await read("old.txt"), /^Access denied/);
    assert.match(await read("letters/harbour-master.txt"), /slipway/);
    assert.deepEqual(
      (await client.resources().all()).map(({ uri }) => uri),
      [uriOf(folder.at("letters"))],
    );
    say(`The client narrows its roots to the letters. ${after} ms later the plan is out of reach, the letters are not.`);
  },
};
