// What a user does in the browser: follows redirects, and sends the forms of the login and of the consent.
import { strict as assert } from "node:assert";

/** More pages than any login has. */
const MAX_PAGES = 20;

/** Logs in and consents, or presses "cancel". Ends when the redirect to the client has been answered. */
export async function clickThroughLogin(start: URL, { cancels = false, login = "ada" } = {}): Promise<void> {
  const cookies = new Map<string, string>();
  let url = start;
  let form: URLSearchParams | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const isOfServer = url.origin === start.origin;
    const response = await fetch(url, {
      redirect: "manual",
      headers: isOfServer ? { cookie } : {},
      ...(form !== undefined && { method: "POST", body: form }),
    });
    const text = await response.text();
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") cookies.delete(name);
      else cookies.set(name, value);
    }
    if (!isOfServer) return assert.equal(text, "You can close this page.\n");
    form = undefined;
    const location = response.headers.get("location");
    if (location !== null) url = new URL(location, url);
    else if (cancels) url = new URL(`${url.pathname}/abort`, url);
    else {
      url = new URL(/<form[^>]* action="([^"]+)"/.exec(text)?.[1] ?? assert.fail(`No form: ${text}`), url);
      const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
      form = new URLSearchParams({ login, password: "any" });
      for (const [, name = "", value = ""] of hidden) form.set(name, value);
    }
  }
  assert.fail("The login does not end.");
}
