// The outer frame, of another origin than the host: shows the view in an inner frame under the content policy and passes messages on.

const READY = "ui/notifications/sandbox-proxy-ready";
const RESOURCE = "ui/notifications/sandbox-resource-ready";

interface Message {
  method?: string;
  params?: { html?: string };
}

const inner = document.createElement("iframe");
inner.title = "View";
inner.setAttribute("sandbox", "allow-scripts");

window.addEventListener("message", ({ source, data }: MessageEvent<Message>) => {
  if (source === window.parent) {
    if (data.method === RESOURCE) {
      inner.srcdoc = data.params?.html ?? "";
      document.body.append(inner);
    } else inner.contentWindow?.postMessage(data, "*");
  } else if (source === inner.contentWindow && data.method?.startsWith("ui/notifications/sandbox-") !== true) {
    window.parent.postMessage(data, "*");
  }
});

window.parent.postMessage({ jsonrpc: "2.0", method: READY, params: {} }, "*");
