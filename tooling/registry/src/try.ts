/** From a registry to a running server, as a new user does it: `pnpm registry:try` publishes to loopback, runs everything from there, and prints a table. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { connect } from "@oarlock/client";
import { tempFolder } from "@oarlock/testing";
import { startRegistry } from "./loopback-registry.ts";
import { NewUser, type Ended } from "./new-user.ts";
import { packAll, SERVERS } from "./packed-packages.ts";

await using packed = tempFolder();
await using registry = await startRegistry(packAll(packed.path));
let failures = 0;

console.log("| step | seconds | outcome |\n| --- | ---: | --- |");

async function step(name: string, work: () => Promise<string>): Promise<void> {
  const start = performance.now();
  let outcome: string;
  try {
    outcome = await work();
  } catch (error) {
    failures++;
    outcome = `FAILED: ${error instanceof Error ? error.message : String(error)}`;
  }
  console.log(`| ${name} | ${((performance.now() - start) / 1000).toFixed(1)} | ${outcome.replaceAll(/\s*\n\s*/g, " ")} |`);
}

/** Fails unless the command has ended well; else its warnings. */
function warningsOf({ code, stdout, stderr }: Ended): string {
  if (code !== 0) throw new Error(`exit code ${code}: ${(stderr || stdout).slice(-500)}`);
  const warnings = stderr.split("\n").filter((line) => /warn/i.test(line) && !line.includes("Unknown user config"));
  return warnings.length === 0 ? "done, no warning" : `done, warned: ${warnings.join(" ").slice(0, 300)}`;
}

for (const [name, start] of Object.entries(SERVERS)) {
  await using user = new NewUser(registry.url);
  const { args, call } = start(user.at("work"));
  if (name === "git") execFileSync("git", ["init", "--quiet", user.at("work")]);
  for (const [time, revision] of [
    ["first, empty cache", "2025-11-25"],
    ["again", "2026-07-28"],
  ]) {
    await step(`npx -y @oarlock/${name} (${time}), ${revision}`, async () => {
      const to = { command: "npx", args: ["-y", `@oarlock/${name}`, ...args], env: user.env };
      await using client = await connect(to, { revision: revision ?? "", timeoutMs: 120_000 });
      const { isError } = await client.call(...call);
      if (isError === true) throw new Error("the call failed");
      return `${(await client.tools().all()).length} tools, a call answered`;
    });
  }
}

{
  await using user = new NewUser(registry.url);
  const example = ["-y", "@oarlock/client", "list", "--json", "--", "npx", "-y", "@oarlock/memory", "--db", user.at("work/m.db")];
  await step("npx @oarlock/client list", async () => warningsOf(await user.run("npx", example)));
  await step("npm create @oarlock/server", async () =>
    warningsOf(await user.run("npm", ["create", "-y", "@oarlock/server", "my-server", "--", "--yes"])),
  );
  await step("its npm install", async () => warningsOf(await user.run("npm", ["install"], "my-server")));
  await step("its npm test", async () => warningsOf(await user.run("npm", ["test"], "my-server")));
  await step("its npm pack, as it would be published", async () => {
    const done = warningsOf(await user.run("npm", ["pack"], "my-server"));
    const tarball = readdirSync(user.at("work/my-server")).find((file) => file.endsWith(".tgz"));
    await using own = await startRegistry([
      user.at(`work/my-server/${tarball}`),
      ...readdirSync(packed.path).map((file) => packed.at(file)),
    ]);
    await using other = new NewUser(own.url);
    const to = { command: "npx", args: ["-y", "my-server"], env: other.env };
    await using client = await connect(to, { timeoutMs: 120_000 });
    return `${done}; npx -y my-server from there: ${(await client.tools().all()).length} tool`;
  });
}
process.exitCode = failures === 0 ? 0 : 1;
