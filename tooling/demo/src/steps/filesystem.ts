// The filesystem server's show: a boat builder's folder, a client beside it, and a person to ask.
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "@oarlock-tooling/test-support/built-file";
import type { LogEntry } from "@oarlock/client";
import { isObject, REVISIONS } from "@oarlock/server-kit/protocol";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import {
  commandOf,
  consent,
  cursorOf,
  done,
  notifiedOf,
  openStage,
  showsOf,
  textOf,
  until,
  withParts,
  type Stage,
  type Steps,
  type Transport,
} from "../stage.ts";
import { names } from "../narrator.ts";

interface Scene extends Stage {
  readonly folder: TempFolder;
  readonly log: readonly LogEntry[];
  /** How often the server said that its list of resources is another one. */
  listChanges(): number;
}

/** A large tree that is at hand wherever this runs: what the project itself has installed. */
const LIBRARY = join(root, "node_modules");
/** A search with much to compare, and nothing to find. */
const SEARCH = { path: LIBRARY, pattern: "**/sea-serpent", excludePatterns: Array.from({ length: 100 }, (_, at) => `**/*a*${at}*e*x`) };

const uriOf = (path: string): string => pathToFileURL(path).href;

async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const folder = tempFolder({
    "plan.md": "# The boat\n\n1. Buy timber\n2. Buy red paint\n3. Launch in May\n",
    letters: { "harbour-master.txt": "Please keep the slipway free.\n" },
    timber: Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`plank-${at + 10}.txt`, "oak\n"])),
  });
  // Box in box in box, deeper than the server walks: something that it has to speak up about.
  mkdirSync(folder.at("boxes", ...Array.from({ length: 300 }, () => "b")), { recursive: true });
  const log: LogEntry[] = [];
  let changes = 0;
  const stage = await openStage(commandOf("filesystem", "--no-trash", folder.path, `${LIBRARY}:ro`), {
    ...{ revision, transport },
    roots: [folder.path, LIBRARY].map((path) => ({ uri: uriOf(path) })),
    onLog: (entry) => log.push(entry),
    onListChanged: (list) => void (list === "resources" && changes++),
  });
  return withParts(stage, { folder, log, listChanges: () => changes }, folder);
}

const steps: Steps<Scene> = {
  async greeting({ client, revision, facts }, say) {
    assert.equal(client.revision, revision);
    const { name, version } = client.serverInfo;
    if (facts.era === "handshake") await client.ping();
    say(
      `${name} ${version} ${facts.era === "handshake" ? `agrees on ${revision}` : `serves ${revision} without a handshake: every request is stateless`}.`,
    );
    say(`It offers ${names(Object.keys(client.capabilities).toSorted())}.`);
  },
  async tools({ client, folder, structured }, say) {
    const all = await client.tools().all();
    const edits = [{ oldText: "red paint", newText: "sea-green paint" }];
    const diff = done(await client.call("edit_file", { path: folder.at("plan.md"), edits }))
      .split("\n")
      .filter((line) => /^[-+]\d/.test(line));
    assert.deepEqual(diff, ["-2. Buy red paint", "+2. Buy sea-green paint"]);
    assert.match(folder.read("plan.md"), /^2\. Buy sea-green paint$/m);
    const read = await client.call("read_text_file", { path: folder.at("plan.md"), tail: 1 });
    assert.match(done(read), /^3\. Launch in May/);
    assert.equal(read.structuredContent !== undefined, structured);
    say(`${all.length} tools. A line of plan.md is changed:`);
    for (const line of diff) say(`    ${line}`);
    say(structured ? "Replies come as text and as data." : "Replies are text: this revision has no structured data.");
  },
  async "the wall"({ client }, say) {
    const outside = await client.call("read_text_file", { path: "/etc/passwd" });
    assert.match(textOf(outside), /^Access denied/);
    say(`Outside its directories it opens nothing: “${textOf(outside)}”`);
  },
  async subscription(scene, say) {
    const { client, folder } = scene;
    const uri = uriOf(folder.at("letters", "harbour-master.txt"));
    const text = folder.read("letters/harbour-master.txt");
    assert.deepEqual((await client.read(uri)).contents, [{ uri, mimeType: "text/plain", text }]);
    const plan = uriOf(folder.at("plan.md"));
    const after = await notifiedOf(scene, plan, () => folder.write({ "plan.md": `${folder.read("plan.md")}4. Find a crew\n` }));
    say(`Files are resources. The client watches plan.md; another program adds a line, and ${after} ms later the client is notified.`);
  },
  async prompts({ client, folder }, say) {
    const all = await client.prompts().all();
    const { messages } = await client.prompt("explore_directory", { path: folder.at("letters") });
    assert.match(JSON.stringify(messages), /harbour-master\.txt/);
    say(`${names(all.map(({ name }) => name))}. The first one includes the directory tree for the model.`);
  },
  async completion({ client, folder }, say) {
    const ref = { type: "ref/prompt", name: "explore_directory" } as const;
    const { values } = await client.complete(ref, { name: "path", value: folder.at("l") });
    assert.deepEqual(values, [`${folder.at("letters")}/`]);
    say("The user types …/l for the path of the prompt, and the completion is …/letters/.");
  },
  async paging({ client, folder }, say) {
    const sizes: number[] = [];
    let cursor: unknown;
    do {
      const page = await client.call("list_directory", { path: folder.at("timber"), limit: 5, ...(cursor !== undefined && { cursor }) });
      sizes.push(done(page).match(/^\[FILE\]/gm)?.length ?? 0);
      cursor = cursorOf(page, /pass the cursor (\S+) to go on/);
    } while (cursor !== undefined);
    assert.deepEqual(sizes, [5, 5, 2]);
    say(`Twelve planks, five at a time: ${sizes.join(" + ")}, each page named by the cursor of the one before.`);
  },
  async progress({ client }, say) {
    const seen: number[] = [];
    assert.match(
      done(await client.call("search_files", SEARCH, { onProgress: ({ progress }) => seen.push(progress) })),
      /^No matches found/,
    );
    assert.ok(seen.length > 0, "no progress notification arrived");
    say(`It looks for a sea serpent in node_modules, and tells how far it is: ${seen.join(", ")} entries. No serpent.`);
  },
  async cancellation({ client }, say) {
    const search = new AbortController();
    const calling = client.call("search_files", SEARCH, { signal: search.signal, onProgress: () => search.abort(new Error("enough")) });
    await assert.rejects(calling, /^Error: enough$/);
    const from = performance.now();
    await client.ping();
    say(`The same search again, cancelled: ${Math.ceil(performance.now() - from)} ms later the server answers the next request.`);
  },
  async logging({ client, folder, log }, say) {
    const search = async () => done(await client.call("search_files", { path: folder.path, pattern: "**/sea-serpent" }));
    await client.setLevel("error");
    const earlier = log.length; // changes are logged, too
    await search();
    assert.equal(log.length, earlier);
    await client.setLevel("warning");
    await search();
    await until("the warning did not come", () => log.length > earlier);
    const data = log[earlier]?.data;
    say(`At the level error: silence. At warning, a nest of 300 boxes makes it speak up: “${isObject(data) ? String(data.message) : ""}”`);
  },
  async question(scene, say) {
    const { client, folder } = scene;
    folder.write({ "old.txt": "the old plan\n", "new.txt": "the new plan\n" });
    const move = () => client.call("move_file", { source: "new.txt", destination: "old.txt", overwrite: true });
    await consent(scene, move, () => folder.read("old.txt") === "the new plan\n", say);
  },
  async roots({ client, folder, facts, listChanges }, say) {
    const read = async (name: string) => textOf(await client.call("read_text_file", { path: folder.at(name) }));
    const isSession = facts.era === "handshake";
    if (isSession) await until("the first roots were not taken", () => listChanges() > 0);
    const before = listChanges();
    assert.match(await read("old.txt"), /plan/);
    client.setRoots([{ uri: uriOf(folder.at("letters")) }]);
    if (isSession) await until("the new roots were not taken", () => listChanges() > before);
    assert.match(await read("old.txt"), /^Access denied/);
    assert.match(await read("letters/harbour-master.txt"), /slipway/);
    say("The client narrows its roots to the letters: the plan is out of reach, the letters are not.");
  },
};

export const filesystem = showsOf("filesystem", openScene, REVISIONS, steps);
