// Names of stateless protocol metadata.
// https://modelcontextprotocol.io/specification/2026-07-28/basic#meta

export const META_PREFIX = "io.modelcontextprotocol/";
export const PROTOCOL_VERSION = `${META_PREFIX}protocolVersion`;
export const SERVER_INFO = `${META_PREFIX}serverInfo`;
export const SUBSCRIPTION_ID = `${META_PREFIX}subscriptionId`;

export const DISCOVER = "server/discover";
