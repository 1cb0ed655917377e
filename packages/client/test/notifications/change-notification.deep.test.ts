// ChangeNotification in both eras, from a server process over stdio.
import { fileURLToPath } from "node:url";
import { connect } from "@oarlock/client";
import { describeNotifications } from "../support/notification-cases.ts";

const SERVER = fileURLToPath(new URL("../fixtures/sample-stdio.ts", import.meta.url));
const command = { command: process.execPath, args: ["--conditions=oarlock-source", SERVER] };

describeNotifications("over stdio", (options) => connect(command, options));
