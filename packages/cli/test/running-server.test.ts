// What doctor says of ports beside a server that runs: that it is this one, or that the port is taken.
import { pathToFileURL } from "node:url";
import { serverCard } from "@oarlock/extensions/server-card";
import { defineServer } from "@oarlock/server-kit";
import { serveHttp } from "@oarlock/server-kit/node";
import { tempFolder } from "../../testing/src/files/temp-folder.ts";
import { expect, test } from "vitest";
import { checkPort } from "../src/doctor/port-check.ts";
import { answersReadiness, isInCatalog } from "../src/doctor/running-server.ts";
import { addressesOf, OPERATED } from "./support/operations.ts";
import { Sample } from "./support/sample-in-memory.ts";

const jsonOf = (name: string): string => JSON.stringify({ name, description: "Sells things.", version: "1.0.0" });

test("finds a server of this name by its catalog, and no other", async () => {
  await using folder = tempFolder({ "own.json": jsonOf("com.example/shop"), "other.json": jsonOf("com.example/workshop") });
  const pages = serverCard({ name: "com.example/shop", description: "Sells things.", version: "1.0.0" });
  const http = await serveHttp(defineServer({ name: "shop", version: "1.0.0" }), { port: 0, pages });
  const check = (file: string) =>
    checkPort({
      name: "port",
      hostSwitch: "--host",
      host: "127.0.0.1",
      port: http.port,
      isOwn: (origin) => isInCatalog(origin, pathToFileURL(folder.at(file))),
    });
  expect(await check("own.json")).toEqual({
    name: "port",
    ok: true,
    message: `Port ${http.port} is served by this server, which runs already.`,
  });
  for (const file of ["other.json", "missing.json"]) expect(await check(file)).toMatchObject({ ok: false });
  await http.stop();
});

test("finds a server by its readiness, and takes no other page for one", async () => {
  const sample = new Sample([...OPERATED, "--drain-ms=0"]);
  const { mcp, ops } = await addressesOf(sample);
  expect(await answersReadiness(new URL(ops).origin)).toBe(true);
  expect(await answersReadiness(new URL(mcp).origin)).toBe(false);
  await sample.stop();
  expect(await answersReadiness(new URL(ops).origin)).toBe(false);
});
