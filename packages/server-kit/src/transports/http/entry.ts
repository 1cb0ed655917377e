// What both entries for HTTP export, that of Node and that of web standards.
export {
  bearerToken,
  type AppCaller,
  type AppLogin,
  type Authenticator,
  type Denied,
  type ResourceMetadata,
} from "./guard/authenticator.ts";
export type { HttpOptions, WithLogin } from "./handler.ts";
export type { Caller, Callers } from "./caller.ts";
export type { HttpCounts, HttpLimits } from "./http-limits.ts";
export type { Auth } from "../../protocol/auth.ts";
