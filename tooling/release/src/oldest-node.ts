/** The oldest Node that servers promise to run on, brought by npm. */
import { fileURLToPath } from "node:url";

export const OLDEST_NODE = fileURLToPath(new URL("../node_modules/node-oldest/bin/node", import.meta.url));
