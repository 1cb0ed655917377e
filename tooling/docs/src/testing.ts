import { connect } from "@oarlock/client";
import { linkMemory } from "@oarlock/server-kit";
import { expect, test } from "vitest";
import { createServer } from "./server.ts";

test.each(["2024-11-05", "2025-11-25", "2026-07-28"] as const)("greets in %s", async (revision) => {
  await using client = await connect(linkMemory(createServer("Ahoy")), { revision });
  expect(await client.call("greet", { name: "Ada" })).toMatchObject({ content: [{ type: "text", text: "Ahoy, Ada!" }] });
});
