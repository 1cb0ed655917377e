// @oarlock/server-kit/extension: what authors of extensions use besides the types of the main entry.
export { isPromise, within } from "./features/awaitable.ts";
export { forOneClient, hintsOf, LISTS } from "./features/cache.ts";
export { pageOf, type Page } from "./features/paging.ts";
export { truncate } from "./features/schema/schema.ts";
export { additionOf } from "./features/tools/tool-additions.ts";
export { missingExtension } from "./peer/client-request.ts";
export { checkInputResponse, type EncodedRequest } from "./peer/input-requests.ts";
export { describeError, TOO_MANY_REQUESTS } from "./protocol/errors.ts";
export { OLDEST_STATELESS, OLDEST_WITH_TOOL_META } from "./revisions/index.ts";
export type { ExtensionContext } from "./runtime/extension/extension-context.ts";
export type { ExtensionHandler } from "./runtime/extension/extension.ts";
export { RequestAborted } from "./runtime/request/abort.ts";
export type { Channel } from "./runtime/request/channel.ts";
export { endOfOutcome, type Outcome } from "./runtime/request/outcome.ts";
