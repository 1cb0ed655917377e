// ChangeNotification in both eras, from a server process over stdio.
import { connect } from "@oarlock/client";
import { nodeCommand } from "../../../testing/src/index.ts";
import { describeNotifications } from "../support/notification-cases.ts";

const command = nodeCommand(new URL("../fixtures/sample-stdio.ts", import.meta.url));

describeNotifications("over stdio", (options) => connect(command, options));
