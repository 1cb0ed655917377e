// Pages of a graph over two processes. The key of cursors is in the store.
import { connect } from "@oarlock/client";
import { tempFolder } from "@oarlock/testing";
import { testSharedCursors } from "../../../packages/client/test/support/shared-cursors.ts";
import { dbOf } from "./support/store-under-test.ts";
import { bin } from "./support/targets.ts";

testSharedCursors(
  async () => {
    const folder = tempFolder();
    const command = bin([`--db=${dbOf(folder.at("memory.db"))}`]);
    const client = await connect(command);
    await client.call("create_entities", {
      entities: ["Ada", "Grace", "Alan", "Edsger"].map((name) => ({ name, entityType: "person", observations: ["computes"] })),
    });
    await client.close();
    return {
      command,
      tool: "read_graph",
      args: { limit: 2 },
      list: "entities",
      [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
    };
  },
  { isKeyStored: true },
);
