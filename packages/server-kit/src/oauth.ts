// @oarlock/server-kit/oauth: an OAuth 2.1 resource server; needs the package `jose`.
export { oauth, type OAuthOptions } from "./transports/http/oauth.ts";
