// @oarlock/cluster: several nodes of one server, so that each can serve any request.
export { cluster, type ClusterOptions } from "./cluster.ts";
