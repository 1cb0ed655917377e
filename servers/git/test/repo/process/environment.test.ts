// The variables that keep git from the network, whatever a repository says.
import { expect, test } from "vitest";
import { environmentWithoutRepository, newRepositoryEnvironment, repositoryEnvironment } from "../../../src/repo/process/environment.ts";
import { networkEnvironmentFrom } from "../../../src/repo/remote/network.ts";

test("GIT-27 V6 allows only a protocol that no address and no repository can name", () => {
  for (const env of [
    repositoryEnvironment("git", { gitDir: "/r/.git", workTree: "/r" }),
    environmentWithoutRepository("git"),
    newRepositoryEnvironment("git"),
    networkEnvironmentFrom([], { protocols: [], env: {} }).env,
  ]) {
    // git takes letters, digits, "+", "-" and "." before "::" as a name; the empty name counts, too.
    expect(env["GIT_ALLOW_PROTOCOL"]).toMatch(/^none\/[0-9a-f-]{36}$/);
  }
  expect(networkEnvironmentFrom([], { protocols: ["https", "ssh"], env: {} }).env["GIT_ALLOW_PROTOCOL"]).toBe("https:ssh");
});
