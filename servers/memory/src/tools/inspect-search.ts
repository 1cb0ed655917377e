// inspect_search: shows why search_nodes ranks as it does. In a toolset that is off by default.
import { tool } from "@oarlock/server-kit";
import { contentBytes, type Dependencies } from "../dependencies.ts";
import { DEFAULT_SEARCH_LIMIT } from "../graph/search/hit.ts";
import { inspectionNotes, inspectionTable } from "../replies/inspection.ts";
import { reply } from "../replies/reply.ts";
import { DEFAULT_MAX_TOKENS, inspectMemory, pageBytes } from "../search-memory.ts";
import { count, object, objects, result, text } from "../schema.ts";

export const inspectSearch = (deps: Dependencies) =>
  tool({
    name: "inspect_search",
    title: "Inspect Search",
    description: "Show why search_nodes ranks facts as it does: the scores of each by part, and what limit and max_tokens cut.",
    toolset: "inspect",
    input: () =>
      object({
        query: text("As in search_nodes"),
        limit: count(`Default ${DEFAULT_SEARCH_LIMIT}`),
        max_tokens: count(`Default ${DEFAULT_MAX_TOKENS}`),
      }),
    output: () => result({ facts: objects }),
    hints: { readOnly: true, openWorld: false },
    async run({ query, limit, max_tokens: maxTokens = DEFAULT_MAX_TOKENS }) {
      const options = { query, limit, detail: "full", maxBytes: pageBytes(maxTokens, contentBytes(deps)) } as const;
      const { inspection, remarks } = await inspectMemory(deps, options);
      const ranking = deps.preference === "match" ? [] : [`Entities are also ordered by --ranking ${deps.preference}.`];
      const notes = [...inspectionNotes(inspection), ...ranking, ...remarks];
      const structured = { ...inspection, facts: inspection.facts.map((fact) => ({ ...fact })) };
      if (inspection.facts.length === 0) return reply(notes.join("\n"), structured);
      const table = inspectionTable(inspection).map((cells) => cells.join(" | "));
      return reply(table.join("\n"), structured, { remarks: notes });
    },
  });
