// What a new user does by npm: runs a server at once, lists it with the client, and begins a server of their own.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import type { LoopbackRegistry } from "./loopback-registry.ts";
import { NewUser } from "./new-user.ts";
import { connectTo, replyOf, SERVERS } from "./server-commands.ts";
import { warningsOf, type StepTable } from "./step-table.ts";
import type { Tool } from "./toolchain.ts";

export async function tryServers(tool: Tool, registry: LoopbackRegistry, table: StepTable): Promise<void> {
  for (const [name, start] of Object.entries(SERVERS)) {
    await using user = new NewUser(registry.url, tool.programs);
    const { args, call } = start(user.at("work"));
    if (name === "git") execFileSync("git", ["init", "--quiet", user.at("work")]);
    for (const [time, revision] of [
      ["first, empty cache", "2025-11-25"],
      ["again", "2026-07-28"],
    ] as const) {
      const step = `npx -y @oarlock/${name} (${time}), ${revision}`;
      await table.step({ step, tool: tool.title, node: tool.node }, async () => {
        const to = { command: "npx", args: ["-y", `@oarlock/${name}`, ...args], env: user.env };
        await using client = await connectTo(to, { revision });
        await replyOf(client, call);
        return `${(await client.tools().all()).length} tools, a call answered`;
      });
    }
  }
}

export async function tryOwnServer(tool: Tool, registry: LoopbackRegistry, table: StepTable): Promise<void> {
  await using user = new NewUser(registry.url, tool.programs);
  const step = (name: string, work: () => Promise<string>) => table.step({ step: name, tool: tool.title, node: tool.node }, work);
  const example = ["-y", "@oarlock/client", "list", "--json", "--", "npx", "-y", "@oarlock/memory", "--db", user.at("work/m.db")];
  await step("npx @oarlock/client list", async () => warningsOf(await user.run("npx", example)));
  await step("npm create @oarlock/server", async () =>
    warningsOf(await user.run("npm", ["create", "-y", "@oarlock/server", "my-server", "--", "--yes"])),
  );
  await step("its npm install", async () => warningsOf(await user.run("npm", ["install"], "my-server")));
  await step("its npm test", async () => warningsOf(await user.run("npm", ["test"], "my-server")));
  await step("its npm pack, then npx -y my-server from a registry that has it", async () => {
    const done = warningsOf(await user.run("npm", ["pack"], "my-server"));
    const tarball = readdirSync(user.at("work/my-server")).find((file) => file.endsWith(".tgz"));
    registry.add([user.at(`work/my-server/${tarball}`)]);
    await using other = new NewUser(registry.url, tool.programs);
    const to = { command: "npx", args: ["-y", "my-server"], env: other.env };
    await using client = await connectTo(to);
    return `${done}; ${(await client.tools().all()).length} tool`;
  });
}
