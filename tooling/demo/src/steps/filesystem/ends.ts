// A server that may change nothing, and the end of one that may.
import assert from "node:assert/strict";
import { connect } from "@oarlock/client";
import { McpError } from "@oarlock/server-kit/protocol";
import type { Step } from "../../show.ts";
import { done } from "./replies.ts";
import { goodbyeStep } from "../../stage.ts";
import { command, type Scene } from "./scene.ts";

export const readOnly: Step<Scene> = {
  title: "read-only",
  async play({ folder, revision }, say) {
    await using client = await connect(command("--read-only", folder.path), { revision });
    const left = await client.tools().all();
    assert.ok(left.length > 0);
    const writing = ["write_file", "edit_file", "create_directory", "move_file"];
    assert.deepEqual(
      left.filter(({ name }) => writing.includes(name)),
      [],
    );
    const write = client.call("write_file", { path: folder.at("plan.md"), content: "scrap it" });
    await assert.rejects(write, (error) => error instanceof McpError && error.code === -32602);
    assert.match(done(await client.call("read_text_file", { path: folder.at("plan.md") })), /^# /);
    say(`Started with --read-only it has ${left.length} tools, and none of them writes.`);
  },
};

export const goodbye: Step<Scene> = goodbyeStep({
  stdio: "The client closes; the server ends by itself, with exit code 0.",
  HTTP: "The client closes; the server is asked to end (SIGTERM), and does with exit code 0.",
});
