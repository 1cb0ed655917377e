// The container for contributors: it has the pnpm and the Node of this repository, and gives the tests their engines.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "../src/repository.ts";

const read = (file: string): string => readFileSync(join(root, file), "utf8");
const manifest = JSON.parse(read("package.json")) as { packageManager: string; devDependencies: { node: string } }; // our own

interface Compose {
  readonly services: Readonly<Record<string, { readonly image: string; readonly environment?: Readonly<Record<string, string>> }>>;
}

test("installs in the dev container by the pnpm and the major version of Node of this repository", () => {
  const container = JSON.parse(read(".devcontainer/devcontainer.json").replaceAll(/^\s*\/\/.*$/gm, "")) as {
    dockerComposeFile: string;
    service: string;
    postCreateCommand: string;
  }; // our own
  const { services } = parse(read(join(".devcontainer", container.dockerComposeFile))) as Compose; // our own
  const commands = [...container.postCreateCommand.matchAll(/npx -y (\S+) (\w+)/g)].map(([, pnpm, command]) => [pnpm, command]);
  expect(commands).toEqual([
    [manifest.packageManager, "install"],
    [manifest.packageManager, "build"],
  ]);
  const [major] = manifest.devDependencies.node.split(".");
  expect(services[container.service]?.image).toMatch(new RegExp(`:${major}$`));
});

test("finds each engine beside the dev container", () => {
  const { services } = parse(read(".devcontainer/docker-compose.yml")) as Compose; // our own
  const engines = Object.values(services["workspace"]?.environment ?? {}).map((address) => new URL(address).hostname);
  expect(engines.toSorted()).toEqual(
    Object.keys(services)
      .filter((name) => name !== "workspace")
      .toSorted(),
  );
});
