// The server sends elicitations to official clients. https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
import { pathToFileURL } from "node:url";
import { expect, vi } from "vitest";
import { everyClient, inSessions, stateless, type Fits } from "./support/every-client.ts";
import { textOf, type Decision, type Question } from "./support/official-client.ts";

const move = { source: "new.txt", destination: "old.txt", overwrite: true };
const before = { "new.txt": "new", "old.txt": "old" };

/** In this order: the move that happens is the last. */
const ANSWERS: readonly { answer: Decision; moved: boolean }[] = [
  { answer: { action: "accept", content: { confirm: false } }, moved: false },
  { answer: { action: "decline" }, moved: false },
  { answer: { action: "cancel" }, moved: false },
  { answer: { action: "accept", content: { confirm: true } }, moved: true },
];
everyClient(
  "ELIC-08 ELIC-20 ELIC-21 ELIC-45 MRTR-01 before an overwriting move, and moves only what the user confirms",
  async ({ revision, folder, connect }) => {
    const asked: Question[] = [];
    let next: Decision = { action: "cancel" };
    const client = await connect({
      elicit(question) {
        asked.push(question);
        return next;
      },
    });
    await client.tools();
    for (const { answer, moved } of ANSWERS) {
      folder.write(before);
      next = answer;
      const { content, isError } = await client.call("move_file", move);
      const outcome = { failed: isError ?? false, text: textOf(content), files: Object.keys(folder.tree()), old: folder.read("old.txt") };
      expect({ answer, ...outcome }).toEqual({
        answer,
        ...(moved
          ? { failed: false, text: "Successfully moved new.txt to old.txt", files: ["old.txt"], old: "new" }
          : {
              failed: true,
              text: "Not moved: the user did not agree to replace old.txt.",
              files: ["new.txt", "old.txt"],
              old: "old",
            }),
      });
    }
    const question = {
      ...(revision >= "2025-11-25" && { mode: "form" }),
      message: "Replace old.txt by new.txt? What is there now is lost.",
      requestedSchema: { type: "object", properties: { confirm: expect.objectContaining({ type: "boolean" }) } },
    };
    expect(asked).toEqual(ANSWERS.map(() => question));
  },
  ({ elicit }) => elicit,
);

everyClient("ELIC-03 is not sent to a client without the capability", async ({ folder, connect }) => {
  folder.write(before);
  const client = await connect();
  const { content, isError } = await client.call("move_file", move);
  expect([isError, textOf(content)]).toEqual([true, expect.stringContaining("start the server with --allow-delete")]);
  expect(folder.read("old.txt")).toBe("old");
});

everyClient(
  "LIFE-14 is not sent in a revision without elicitation, whatever the client declares",
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
  "CANCEL-03 is withdrawn with its call",
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
    await vi.waitFor(() => expect(withdrawn).toBe(true), { timeout: 60_000 });
    expect(await client.call("list_allowed_directories")).not.toMatchObject({ isError: true });
    expect(folder.read("old.txt")).toBe("old");
  },
  ({ elicit }) => elicit,
);

everyClient(
  "ELIC-08 ELIC-45 before replacing a file that has changed since it was read",
  async ({ folder, connect }) => {
    folder.write({ "a.txt": "first" });
    const asked: string[] = [];
    let yes = false;
    const client = await connect({
      elicit({ message }) {
        asked.push(message);
        return { action: "accept", content: { confirm: yes } };
      },
    });
    const { structuredContent } = await client.call("read_text_file", { path: "a.txt" });
    const { etag } = structuredContent as { etag: string }; // the client has checked it against the schema
    folder.write({ "a.txt": "changed meanwhile" });
    const write = () => client.call("write_file", { path: "a.txt", content: "mine", expectedEtag: etag });
    expect(await write()).toMatchObject({ isError: true });
    expect(folder.read("a.txt")).toBe("changed meanwhile");
    yes = true;
    expect(textOf((await write()).content)).toMatch(/^Successfully wrote to a\.txt\s*\[etag \S+\]$/);
    expect(folder.read("a.txt")).toBe("mine");
    const question = expect.stringMatching(/^a\.txt has changed since it was read; its etag is now \S+\. Replace it anyway\?$/);
    expect(asked).toEqual([question, question]);
  },
  ({ elicit }) => elicit,
);

everyClient(
  "MRTR-19 MRTR-23 ROOTS-12 after the roots: two rounds with one input request each, without repetition",
  async ({ folder, connect }) => {
    folder.write(before);
    const asked: string[] = [];
    const client = await connect({
      roots() {
        asked.push("roots");
        return [{ uri: pathToFileURL(folder.path).href }];
      },
      elicit() {
        asked.push("yes or no");
        return { action: "accept", content: { confirm: true } };
      },
    });
    expect(textOf((await client.call("move_file", move)).content)).toBe("Successfully moved new.txt to old.txt");
    expect(asked).toEqual(["roots", "yes or no"]);
    expect(folder.tree()).toEqual({ "old.txt": expect.anything() });
    expect(folder.read("old.txt")).toBe("new");
  },
  ({ elicit }) => elicit,
);

const inSessionsThatAsk: Fits = (facts, over) => facts.elicit && inSessions(facts, over);

everyClient(
  "STDIO-11 that is open does not keep the server running when the client closes",
  async ({ over, folder, connect }) => {
    folder.write(before);
    const open = Promise.withResolvers<void>();
    const client = await connect({
      elicit: () => {
        open.resolve();
        return new Promise(() => undefined);
      },
    });
    const call = client.call("move_file", move).catch((error: unknown) => error);
    await open.promise;
    await client.close();
    // The end of input cancels the elicitation, and the call gets that result before the server exits.
    if (over === "stdio") expect(await call).toMatchObject({ isError: true });
    else expect(String(await call)).toContain("Connection closed");
    expect(folder.read("old.txt")).toBe("old");
  },
  inSessionsThatAsk,
);

everyClient(
  "MRTR-18 without a response leaves nothing behind",
  async ({ folder, connect }) => {
    folder.write(before);
    const open = Promise.withResolvers<void>();
    const client = await connect({
      elicit: () => {
        open.resolve();
        return new Promise(() => undefined);
      },
    });
    // Between two rounds no request is open, so closing does not end it for this client either: it waits for its person for ever.
    void client.call("move_file", move);
    await open.promise;
    await client.close();
    expect(folder.read("old.txt")).toBe("old");
  },
  stateless,
);
