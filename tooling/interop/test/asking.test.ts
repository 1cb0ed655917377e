// The server asks official clients: for their roots, and for a word of their person.
// https://modelcontextprotocol.io/specification/2025-11-25/client/roots and /client/elicitation
import { pathToFileURL } from "node:url";
import { describe, expect, vi } from "vitest";
import { everyClient } from "../src/every-client.ts";
import { textOf, type Decision, type Official, type Question } from "../src/official.ts";

/** Other roots are other directories to list: the client hears so, once for the first and once for each change. */
const heard = (client: Official, times: number): Promise<void> =>
  vi.waitFor(() => expect(client.listsChanged).toEqual(Array.from({ length: times }, () => "resources")), { timeout: 3000, interval: 10 });

const DENIED = "Access denied - path outside allowed directories";

describe("roots", () => {
  everyClient("ROOTS-10 ROOTS-11 RES-16 narrow what may be touched, and anew when they change", async ({ folder, connect }) => {
    folder.write({ "east/e.txt": "east", "west/w.txt": "west" });
    const [east, west] = ["east", "west"].map((name) => ({ uri: pathToFileURL(folder.at(name)).href, name }));
    let roots = [east!];
    const client = await connect({ roots: () => roots });
    const read = async (path: string) => textOf((await client.call("read_text_file", { path: folder.at(path) })).content);
    expect([await read("east/e.txt"), await read("west/w.txt")]).toEqual(["east", expect.stringContaining(DENIED)]);
    await heard(client, 1);
    roots = [west!];
    await client.rootsChanged();
    expect([await read("east/e.txt"), await read("west/w.txt")]).toEqual([expect.stringContaining(DENIED), "west"]);
    await heard(client, 2);
    expect((await client.resources()).map(({ uri }) => uri)).toEqual([west!.uri]);
    expect(textOf((await client.call("list_allowed_directories")).content)).toBe(`Allowed directories:\n${folder.at("west")}`);
  });

  everyClient("never widen the operator's directories; an empty list closes them all", async ({ folder, connect }) => {
    folder.write({ "a.txt": "a" });
    let roots = [{ uri: "file:///" }, { uri: "https://example.com/" }];
    const client = await connect({
      roots: () => roots,
      stderr: /^.+ is ready on stdio\nWarning: the client offers no folder .+ --roots ignore .+\n$/,
    });
    const read = async (path: string) => textOf((await client.call("read_text_file", { path })).content);
    expect(await read(folder.at("a.txt"))).toBe("a");
    expect(await read("/etc/hostname")).toContain(DENIED);
    roots = [];
    await client.rootsChanged();
    expect(await read(folder.at("a.txt"))).toContain(DENIED);
    expect(textOf((await client.call("list_allowed_directories")).content)).toContain("the client offers no folder");
  });

  everyClient("are the directories where the operator named none", async ({ folder, connect }) => {
    folder.write({ "a.txt": "a" });
    const client = await connect({
      serve: [],
      roots: () => [{ uri: pathToFileURL(folder.path).href }],
      stderr: /^Warning: No directory was named: .+\n.+ is ready on stdio\n$/,
    });
    expect(textOf((await client.call("read_text_file", { path: folder.at("a.txt") })).content)).toBe("a");
  });
});

describe("a question", () => {
  const move = { source: "new.txt", destination: "old.txt", overwrite: true };
  const before = { "new.txt": "new", "old.txt": "old" };

  const ANSWERS: readonly { answer: Decision; moved: boolean }[] = [
    { answer: { action: "accept", content: { confirm: true } }, moved: true },
    { answer: { action: "accept", content: { confirm: false } }, moved: false },
    { answer: { action: "decline" }, moved: false },
    { answer: { action: "cancel" }, moved: false },
  ];
  for (const { answer, moved } of ANSWERS) {
    everyClient(
      `ELIC-08 ELIC-20 before an overwriting move: ${JSON.stringify(answer)}`,
      async ({ revision, folder, connect }) => {
        folder.write(before);
        const asked: Question[] = [];
        const client = await connect({
          elicit(question) {
            asked.push(question);
            return answer;
          },
        });
        await client.tools();
        const { content, isError } = await client.call("move_file", move);
        expect(asked).toEqual([
          {
            ...(revision >= "2025-11-25" && { mode: "form" }),
            message: "Replace old.txt by new.txt? What is there now is lost.",
            requestedSchema: { type: "object", properties: { confirm: expect.objectContaining({ type: "boolean" }) } },
          },
        ]);
        expect([isError ?? false, textOf(content)]).toEqual(
          moved ? [false, "Successfully moved new.txt to old.txt"] : [true, "Not moved: the user did not agree to replace old.txt."],
        );
        expect(Object.keys(folder.tree())).toEqual(moved ? ["old.txt"] : ["new.txt", "old.txt"]);
        expect(folder.read("old.txt")).toBe(moved ? "new" : "old");
      },
      ({ elicit }) => elicit,
    );
  }

  everyClient("ELIC-03 is not put to a client that did not say it takes any", async ({ folder, connect }) => {
    folder.write(before);
    const client = await connect();
    const { content, isError } = await client.call("move_file", move);
    expect([isError, textOf(content)]).toEqual([true, expect.stringContaining("start the server with --allow-delete")]);
    expect(folder.read("old.txt")).toBe("old");
  });

  everyClient(
    "LIFE-14 is not put in a revision that has none, whatever the client says",
    async ({ folder, connect }) => {
      folder.write(before);
      const client = await connect({
        elicit() {
          throw new Error("asked all the same");
        },
      });
      expect(await client.call("move_file", move)).toMatchObject({ isError: true });
      expect(folder.read("old.txt")).toBe("old");
    },
    ({ elicit }) => !elicit,
  );

  everyClient(
    "CANCEL-03 is withdrawn with the call that it belongs to",
    async ({ folder, connect }) => {
      folder.write(before);
      const call = new AbortController();
      let withdrawn = false;
      const client = await connect({
        elicit: (_, signal) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => {
              withdrawn = true;
              resolve({ action: "cancel" });
            });
            call.abort("the person has left");
          }),
      });
      await expect(client.call("move_file", move, { signal: call.signal })).rejects.toThrow("the person has left");
      await vi.waitFor(() => expect(withdrawn).toBe(true));
      await client.ping();
      expect(folder.read("old.txt")).toBe("old");
    },
    ({ elicit }) => elicit,
  );

  everyClient(
    "STDIO-11 that is still open does not keep the server when the client closes",
    async ({ folder, connect }) => {
      folder.write(before);
      const open = Promise.withResolvers<void>();
      const client = await connect({
        elicit: () => {
          open.resolve();
          return new Promise(() => undefined);
        },
      });
      const call = client.call("move_file", move);
      await open.promise;
      await client.close();
      // The end of input is an answer to the question, and the call is told so before the server goes.
      expect(await call).toMatchObject({ isError: true });
      expect(folder.read("old.txt")).toBe("old");
    },
    ({ elicit }) => elicit,
  );
});
