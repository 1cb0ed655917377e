// Files as resources: listed, read, watched; and long lists in pages.
import assert from "node:assert/strict";
import type { Step } from "../../show.ts";
import { until } from "../../wait-for.ts";
import { done, pick } from "./replies.ts";
import { uriOf, type Scene } from "./scene.ts";

export const resources: Step<Scene> = {
  title: "resources",
  async play({ client, folder }, say) {
    const listed = await client.resources().all();
    assert.equal(listed[0]?.uri, uriOf(folder.path));
    const [template] = await client.templates().all();
    assert.equal(template?.uriTemplate, "file:///{+path}");
    const uri = uriOf(folder.at("letters", "harbour-master.txt"));
    const text = folder.read("letters/harbour-master.txt");
    assert.deepEqual((await client.read(uri)).contents, [{ uri, mimeType: "text/plain", text }]);
    say(`The directories are listed, and every file below them is ${template.uriTemplate}. A letter is read: “${text.trim()}”`);
  },
};

export const subscription: Step<Scene> = {
  title: "subscription",
  async play({ client, folder }, say) {
    const file = uriOf(folder.at("plan.md"));
    const room = uriOf(folder.at("letters"));
    const heard: string[] = [];
    const isNotified = (uri: string): boolean => heard.includes(uri);
    await client.subscribe(file, (uri) => heard.push(uri));
    await client.subscribe(room, (uri) => heard.push(uri));
    folder.write({ "plan.md": `${folder.read("plan.md")}4. Find a crew\n` });
    const after = await until("no notification of the change of plan.md arrived", () => isNotified(file));
    say(`The client watches plan.md. Another program adds a line, and ${after} ms later the client is notified.`);
    await client.unsubscribe(file);
    const before = heard.filter((uri) => uri === file).length;
    folder.write({ "plan.md": "# Never mind\n" });
    folder.write({ "letters/answer.txt": "The slipway is free.\n" });
    await until("no notification of the new letter arrived", () => isNotified(room));
    assert.equal(heard.filter((uri) => uri === file).length, before);
    await client.unsubscribe(room);
    say("It unsubscribes: the next change of plan.md sends no notification, a new letter in a watched directory still does.");
  },
};

export const paging: Step<Scene> = {
  title: "paging",
  async play({ client, folder, structured }, say) {
    const sizes: number[] = [];
    let cursor: unknown;
    do {
      const page = await client.call("list_directory", { path: folder.at("timber"), limit: 5, ...(cursor !== undefined && { cursor }) });
      const text = done(page);
      sizes.push(text.split("\n").filter((line) => line.startsWith("[FILE]")).length);
      // Without structured content, the text has the cursor.
      cursor = structured ? pick(page.structuredContent, "nextCursor")[0] : /pass the cursor (\S+) to go on/.exec(text)?.[1];
    } while (cursor !== undefined);
    assert.deepEqual(sizes, [5, 5, 2]);
    say(`Twelve planks, five at a time: ${sizes.join(" + ")}, each page named by the cursor of the one before.`);
  },
};
