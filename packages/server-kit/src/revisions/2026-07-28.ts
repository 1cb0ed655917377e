// The newest revision. The rest of the kit uses its shapes.
// https://modelcontextprotocol.io/specification/2026-07-28
import { SERVER_INFO } from "../protocol/meta.ts";
import { INTERNAL_ERROR, INVALID_PARAMS, isObject } from "../wire/json-rpc.ts";
import type { Base } from "./revision.ts";

/** Codes of older revisions that authors may still throw. They are replaced here, and restored for the older revisions. */
const RESOURCE_NOT_FOUND = -32002;
const URL_NEEDED = -32042;

export const newest: Base = {
  id: "2026-07-28",
  facts: {
    era: "stateless",
    batch: false,
    argumentErrors: "result",
    elicit: true,
    elicitUrl: true,
    sampleTools: true,
    primingEvent: false,
    coreTasks: false,
  },
  stamp: (result, serverInfo) => ({
    resultType: "complete",
    ...result,
    _meta: isObject(result._meta) ? { ...result._meta, [SERVER_INFO]: serverInfo } : { [SERVER_INFO]: serverInfo },
  }),
  failure: (failure) => {
    if (failure.code === RESOURCE_NOT_FOUND) return { ...failure, code: INVALID_PARAMS, kind: "resource-not-found" };
    if (failure.code === URL_NEEDED) return { ...failure, code: INTERNAL_ERROR, kind: "url-needed" };
    return failure;
  },
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
