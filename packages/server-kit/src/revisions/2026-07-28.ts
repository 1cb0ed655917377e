// The newest revision: what everything inside the kit speaks.
// https://modelcontextprotocol.io/specification/2026-07-28
import type { Base } from "./revision.ts";

export const newest: Base = {
  id: "2026-07-28",
  facts: { era: "stateless", batch: false, argumentFaults: "result", elicit: true, elicitUrl: true, sampleTools: true },
  methods: {
    add: [
      "server/discover",
      "tools/list",
      "tools/call",
      "resources/list",
      "resources/templates/list",
      "resources/read",
      "prompts/list",
      "prompts/get",
      "completion/complete",
      "subscriptions/listen",
    ],
  },
};
