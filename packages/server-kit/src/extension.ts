// @oarlock/server-kit/extension: what authors of extensions use besides the types of the main entry.
export { hintsOf, LISTS } from "./features/cache.ts";
export { pageOf, type Page } from "./features/paging.ts";
export { truncate } from "./features/schema/schema.ts";
export { checkViewUri, isAppOnly } from "./features/tool-ui.ts";
export { APP_MIME_TYPE, APPS, toolMeta } from "./protocol/apps.ts";
export { describeError } from "./protocol/errors.ts";
export { OLDEST_STATELESS } from "./revisions/index.ts";
