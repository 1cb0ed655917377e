// A page without content that leaves its connection to a test: `view.host`, and what the host sent in `view.events`.
import { connectToHost, type Host } from "@oarlock/extensions/view";

declare global {
  interface Window {
    view: { host?: Host; events: unknown[][] };
  }
}

const events: unknown[][] = [];
window.view = { events };
window.view.host = await connectToHost({
  name: "test",
  version: "1.0.0",
  onInput: (args) => void events.push(["input", args]),
  onResult: (result) => void events.push(["result", result]),
  onCancelled: (reason) => void events.push(["cancelled", reason]),
  onContext: (context) => void events.push(["context", context]),
  onTeardown: async () => {
    await new Promise((resolve) => setTimeout(resolve, 20));
    events.push(["teardown"]);
  },
});
