// The page of the five revisions, side by side, as the revision steps of the kit tell it: `node --conditions=oarlock-source protocol.ts` writes
// docs/protocol.md.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { findRevision, REVISIONS, type Facts } from "@oarlock/server-kit/protocol";

export const file = fileURLToPath(new URL("../../docs/protocol.md", import.meta.url));

const revisions = REVISIONS.flatMap((id) => findRevision(id) ?? []);

const yesOrNo = (value: boolean): string => (value ? "yes" : "–");

/** A row for each fact, in words. */
const FACTS: readonly (readonly [what: string, cell: (facts: Facts) => string])[] = [
  ["opening", ({ era }) => (era === "stateless" ? "none: each request describes its client" : "`initialize`, then a session")],
  ["batches of messages", ({ batch }) => yesOrNo(batch)],
  ["wrong arguments of a tool", ({ argumentErrors }) => (argumentErrors === "result" ? "a result that the model reads" : "an error")],
  ["questions to the user (forms)", ({ elicit }) => yesOrNo(elicit)],
  ["questions to the user (a page)", ({ elicitUrl }) => yesOrNo(elicitUrl)],
  ["sampling with tools", ({ sampleTools }) => yesOrNo(sampleTools)],
  ["tasks", ({ coreTasks, era }) => (coreTasks ? "experimental" : era === "stateless" ? "an extension" : "–")],
];

/** The revision file begins with a sentence on what it takes away. */
function stepOf(id: string): string {
  const source = readFileSync(new URL(`../../packages/server-kit/src/revisions/${id}.ts`, import.meta.url), "utf8");
  const [, words = ""] = /^\/\/ The step back to [\d-]+(?:, [^:]*)?: (.+)$/m.exec(source) ?? [];
  return words;
}

export function protocolPage(): string {
  const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  const head = [row(["", ...revisions.map(({ id }) => id)]), row(["---", ...revisions.map(() => "---")])];
  const facts = FACTS.map(([what, cell]) => row([what, ...revisions.map((revision) => cell(revision.facts))]));
  const methods = [...new Set(revisions.flatMap((revision) => [...revision.methods]))].toSorted();
  const calls = methods.map((method) => row([`\`${method}\``, ...revisions.map((revision) => yesOrNo(revision.methods.has(method)))]));
  const steps = revisions.slice(1).map(({ id }) => `- **${id}**: ${stepOf(id)}`);
  return `# Protocol revisions

The Model Context Protocol has five published revisions. A client names the one it speaks, and the server answers in exactly that one, or says which ones it has. The four up to
2025-11-25 open a session with a handshake; 2026-07-28 is stateless.

<!-- written by tooling/docs/protocol.ts from the revision steps of the kit -->

## What a revision has

${[...head, ...facts].join("\n")}

## What a client may call

${[...head, ...calls].join("\n")}

In 2026-07-28 \`subscriptions/listen\` takes the place of \`resources/subscribe\` and of the standing stream; the envelope of a request takes that of
\`initialize\` and \`logging/setLevel\`; questions to the client stand in results instead of requests of their own.

## What each step back takes away

Handlers are written for the newest revision. For an older one the kit removes what that revision cannot say, and says it in older words where there are
any: structured content stays in the text, resource links become text, a multiple choice is left out of a form where it is optional.

${steps.join("\n")}

The steps are files of a hundred lines each: [\`packages/server-kit/src/revisions\`](../packages/server-kit/src/revisions). The specification of a revision is at
\`https://modelcontextprotocol.io/specification/REVISION\`.
`;
}

if (import.meta.main) writeFileSync(file, protocolPage());
