// The login of the manual: its authorization server, a built server and the command of the client write, and then step down to reading.
import { join } from "node:path";
import { freePort } from "@oarlock-tooling/test-support/loopback";
import { builtServer } from "@oarlock-tooling/test-support/built-file";
import { startOverHttp } from "@oarlock-tooling/test-support/server-process";
import { nodeCommand, startRaw, tempFolder } from "@oarlock/testing";
import { expect, test } from "vitest";
import { runCommand } from "../../../packages/client/test/support/run-command.ts";
import { clickThroughLogin } from "./support/login-pages.ts";

const LOGIN_SERVER = join(import.meta.dirname, "../../../packages/oauth/examples/login-server.ts");

test("logs in for all published scopes by the configuration of the manual, and writes", async () => {
  await using folder = tempFolder({});
  const [port, issuerPort] = [await freePort(), await freePort()];
  const url = `http://127.0.0.1:${port}/mcp`;
  await using issuer = startRaw(nodeCommand(LOGIN_SERVER, [url, "sqlite", String(issuerPort)]));
  await expect.poll(() => issuer.stderr).toContain("listening on ");
  const auth = ["--oauth-issuer", `http://127.0.0.1:${issuerPort}`, "--oauth-audience", url];
  const args = builtServer("sqlite", "--db-path", folder.at("a.db"), ...auth);
  await using _server = await startOverHttp({ command: process.execPath, args }, port);

  const run = (...words: string[]) => {
    let isOpened = false;
    return runCommand(folder.at("credentials.json"), [url, ...words], (text) => {
      const [, page] = /^Open this address in a browser to log in:\n(http\S+)\n/m.exec(text) ?? [];
      if (page === undefined || isOpened) return;
      isOpened = true;
      void clickThroughLogin(new URL(page));
    });
  };
  const write = (table: string) => run("call", "create_table", JSON.stringify({ query: `CREATE TABLE ${table} (a)` }));

  expect(await run("login")).toMatchObject({ code: 0 });
  expect(await write("first")).toMatchObject({ code: 0, stderr: "" });

  expect(await run("login", "--scope", "sqlite:read")).toMatchObject({ code: 0 });
  expect(await run("call", "list_tables")).toMatchObject({ code: 0 });
  expect(await write("second")).toMatchObject({ code: 1, stderr: expect.stringContaining("Login needed") });

  expect(await run("login")).toMatchObject({ code: 0 });
  expect(await write("second")).toMatchObject({ code: 0, stderr: "" });
});
