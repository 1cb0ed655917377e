// The newest revision: what everything inside the kit speaks.
// https://modelcontextprotocol.io/specification/2026-07-28
import { SERVER_INFO } from "../protocol/meta.ts";
import { isObject } from "../wire/json-rpc.ts";
import type { Base } from "./revision.ts";

export const newest: Base = {
  id: "2026-07-28",
  facts: { era: "stateless", batch: false, argumentFaults: "result", elicit: true, elicitUrl: true, sampleTools: true, primes: false },
  stamp: (result, serverInfo) => ({
    resultType: "complete",
    ...result,
    _meta: isObject(result._meta) ? { ...result._meta, [SERVER_INFO]: serverInfo } : { [SERVER_INFO]: serverInfo },
  }),
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
