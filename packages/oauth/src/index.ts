// @oarlock/oauth: an OAuth 2.1 resource server, for `auth` of @oarlock/server-kit.
export { oauth, type OAuthOptions } from "./oauth.ts";
export type { IntrospectionOptions } from "./introspection.ts";
