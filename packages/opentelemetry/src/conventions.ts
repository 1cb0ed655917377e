// The names of the OpenTelemetry conventions for MCP, state of 2026-11 (Development: they may change), in one place.
// https://github.com/open-telemetry/semantic-conventions-genai

/** Names this package as the maker of spans and metrics. */
export const SCOPE = "@oarlock/opentelemetry";

export const METHOD = "mcp.method.name";
export const REQUEST_ID = "jsonrpc.request.id";
export const PROTOCOL_VERSION = "mcp.protocol.version";
export const TOOL = "gen_ai.tool.name";
export const PROMPT = "gen_ai.prompt.name";
export const OPERATION = "gen_ai.operation.name";
export const EXECUTE_TOOL = "execute_tool";
export const ERROR_TYPE = "error.type";
export const STATUS_CODE = "rpc.response.status_code";
export const TRANSPORT = "network.transport";
export const PROTOCOL = "network.protocol.name";

/** Histogram of the server, in seconds. */
export const SERVER_DURATION = "mcp.server.operation.duration";
/** Histogram of the client, in seconds. */
export const CLIENT_DURATION = "mcp.client.operation.duration";
/** Boundaries of both. */
export const DURATION_BOUNDARIES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** Histogram of the sessions of a server, in seconds. */
export const SESSION_DURATION = "mcp.server.session.duration";
/** Its boundaries: a session may last for days. */
export const SESSION_BOUNDARIES = [1, 10, 60, 300, 1800, 3600, 21_600, 86_400];

/** For names that a client made up: as attributes of a metric they would be without bound. */
export const OTHER = "_OTHER";
