// The memory server's show: a boat builder's assistant that remembers, in one file that two hosts share.
import assert from "node:assert/strict";
import { connect, type Client } from "@oarlock/client";
import { REVISIONS, type CallToolResult } from "@oarlock/server-kit/protocol";
import { tempFolder, type TempFolder } from "@oarlock/testing";
import {
  commandOf,
  consent,
  done,
  jsonOf,
  notifiedOf,
  openStage,
  showsOf,
  withParts,
  type Stage,
  type Steps,
  type Transport,
} from "../stage.ts";

interface Scene extends Stage {
  readonly folder: TempFolder;
  /** A second host on the same memory: a process of its own. */
  readonly other: Client;
}

interface Entity {
  name: string;
  entityType: string;
  observations: string[];
}

const ENTITIES: readonly Entity[] = [
  { name: "Ilse Marten", entityType: "person", observations: ["works at Quay & Sons", "wants a red hull"] },
  { name: "Quay & Sons", entityType: "company", observations: ["rents out the slipway"] },
  { name: "Kittiwake", entityType: "boat", observations: ["planked in oak", "launch in May"] },
];
const SECRET = "keeps the key under the anchor";

const entitiesOf = (result: CallToolResult): Entity[] => (jsonOf(result) as { entities: Entity[] }).entities; // the tools' shape
const add = (entityName: string, text: string) => ({ observations: [{ entityName, contents: [text] }] });

async function openScene(revision: string, transport: Transport): Promise<Scene> {
  const folder = tempFolder();
  const command = commandOf("memory", "--db", folder.at("memory.jsonl"));
  const stage = await openStage(command, { revision, transport });
  const other = await connect(command, { revision, clientInfo: { name: "another-host", version: "0.0.0" } });
  return withParts(stage, { folder, other }, other, folder);
}

const steps: Steps<Scene> = {
  async recall({ client, revision, other }, say) {
    assert.equal(client.revision, revision);
    done(await client.call("create_entities", { entities: ENTITIES }));
    const [found] = entitiesOf(await other.call("search_nodes", { query: "oak launch" }));
    assert.deepEqual(found, ENTITIES[2]);
    say(`${client.serverInfo.name} stores three entities. Another host, a process of its own, searches for “oak launch”:`);
    say(`two words of two observations, and it finds ${found?.name}.`);
  },
  async subscription(scene, say) {
    const boat = "memory://entity/Kittiwake";
    const after = await notifiedOf(scene, boat, () => scene.other.call("add_observations", add("Kittiwake", "has a new keel")));
    assert.match(JSON.stringify(await scene.client.read(boat)), /has a new keel/);
    say(`The client watches ${boat}. The other host writes: ${after} ms later the client is notified.`);
  },
  async completion({ client }, say) {
    const { values } = await client.complete({ type: "ref/resource", uri: "memory://entity/{name}" }, { name: "name", value: "kit" });
    assert.deepEqual(values, ["Kittiwake"]);
    say("The user types kit for the name in memory://entity/{name}, and the completion is Kittiwake.");
  },
  async question(scene, say) {
    const { client, folder, facts } = scene;
    done(await client.call("add_observations", add("Ilse Marten", SECRET)));
    const deletions = [{ entityName: "Ilse Marten", observations: [SECRET] }];
    const purge = () => client.call("delete_observations", { deletions, purge: true });
    const isGone = async (): Promise<boolean> =>
      entitiesOf(await client.call("search_nodes", { query: SECRET })).every(({ observations }) => !observations.includes(SECRET));
    await consent(scene, purge, isGone, say);
    if (!facts.elicit) return;
    for (const file of ["memory.jsonl", "memory.jsonl.db"]) assert.ok(!folder.read(file).includes(SECRET));
    say("After they accept, neither the graph nor a file contains the text.");
  },
};

export const memory = showsOf("memory", openScene, REVISIONS, steps);
