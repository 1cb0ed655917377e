// Every package manager on every Node: it adds all four servers to a project, and starts each of them.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import type { LoopbackRegistry } from "./loopback-registry.ts";
import { NewUser } from "./new-user.ts";
import { connectTo, replyOf, SERVERS } from "./server-commands.ts";
import { warningsOf, type StepTable } from "./step-table.ts";
import type { Tool } from "./toolchain.ts";

export async function tryTool(tool: Tool, registry: LoopbackRegistry, table: StepTable): Promise<void> {
  await using user = new NewUser(registry.url, tool.programs);
  const of = (step: string) => ({ step, tool: tool.title, node: tool.node });
  const folder = user.at("work/project");
  mkdirSync(folder);
  writeFileSync(`${folder}/package.json`, JSON.stringify({ private: true }));
  if (tool.add[0] === "yarn") writeFileSync(`${folder}/yarn.lock`, ""); // the folder is a project of its own
  execFileSync("git", ["init", "--quiet", user.at("work")]);
  const [command = "", ...words] = tool.add;
  const names = Object.keys(SERVERS).map((name) => `@oarlock/${name}`);
  await table.step(of("add all four servers"), async () => warningsOf(await user.run(command, [...words, ...names], "project")));
  await table.step(of("start each of them, one call each"), async () => {
    for (const name of Object.keys(SERVERS)) await callOnce(user, tool.run, `oarlock-${name}`, name);
    return "four calls answered";
  });
  const { runOnce } = tool;
  if (runOnce === undefined) return;
  await table.step(of(`${runOnce.join(" ")} @oarlock/memory`), async () => {
    await callOnce(user, runOnce, "@oarlock/memory", "memory");
    return "a call answered";
  });
}

async function callOnce(user: NewUser, [command = "", ...words]: readonly string[], what: string, name: string): Promise<void> {
  const { args, call } = SERVERS[name]?.(user.at("work")) ?? { args: [], call: ["", {}] as const };
  await using client = await connectTo({ command, args: [...words, what, ...args], env: user.env, cwd: user.at("work/project") });
  await replyOf(client, call);
}
