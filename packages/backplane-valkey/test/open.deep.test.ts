// Opening a backplane on an engine: what rejects with one sentence, and what does not.
import { startValkey } from "@oarlock-tooling/engines";
import { describeValkey } from "@oarlock-tooling/engines/describe";
import { expect, test } from "vitest";
import { valkeyBackplane } from "../src/index.ts";
import { refusal } from "./support/refusal.ts";

const describeEngine = await describeValkey({ own: true });

describeEngine("an engine", () => {
  test("refuses other passwords, and none, when it has one", async () => {
    await using engine = await startValkey({ own: true, password: "p@ss w/rd" });
    const { host } = new URL(engine.url);
    const message = `The engine at ${host} refuses the user or password.`;
    expect(await refusal(`valkey://${host}`)).toBe(message);
    expect(await refusal(`valkey://:secret@${host}`)).toBe(message);
    expect(await refusal(`valkey://someone:secret@${host}`)).toBe(message);
    await using backplane = closing(await valkeyBackplane(`valkey://:${encodeURIComponent("p@ss w/rd")}@${host}`));
    expect(await backplane.put("a", "", { ttlMs: 60_000 })).toBe(1);
  });

  test("refuses an address whose database does not exist", async () => {
    await using engine = await startValkey({ own: true });
    const { host } = new URL(engine.url);
    expect(await refusal(`${engine.url}/99`)).toBe(`The engine at ${host} has no database with the number of the address.`);
  });

  test("keeps the databases and prefixes of several deployments apart", async () => {
    await using engine = await startValkey({ own: true });
    await using one = closing(await valkeyBackplane(engine.url, { prefix: "one" }));
    await using two = closing(await valkeyBackplane(engine.url, { prefix: "two" }));
    await using three = closing(await valkeyBackplane(engine.url.replace("valkey:", "redis:") + "/1", { prefix: "one" }));
    await one.put("key", "one", { ttlMs: 60_000 });
    expect([await two.get("key"), await three.get("key")]).toEqual([undefined, undefined]);
    const messages: string[] = [];
    await two.subscribe(
      "key",
      (text) => messages.push(text),
      () => {},
    );
    await one.publish("key", "of one");
    await two.publish("key", "of two");
    await expect.poll(() => messages).toEqual(["of two"]);
  });

  test("rejects calls with the reason when the engine is unreachable at the start and refuses later", async () => {
    await using engine = await startValkey({ own: true, password: "correct" });
    const { host } = new URL(engine.url);
    await engine.kill();
    await using backplane = closing(await valkeyBackplane(`valkey://:wrong@${host}`));
    await expect(backplane.get("a")).rejects.toThrow(`The engine at ${host} does not answer.`);
    await engine.restart();
    await expect
      .poll(() =>
        backplane.get("a").then(
          () => "",
          (error: Error) => error.message,
        ),
      )
      .toBe(`The engine at ${host} refuses the user or password.`);
    expect(backplane.isUp).toBe(false);
  });
});

const closing = <T extends { close(): Promise<void> }>(backplane: T): T & AsyncDisposable =>
  Object.assign(backplane, { [Symbol.asyncDispose]: () => backplane.close() });
