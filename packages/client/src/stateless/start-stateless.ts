// Begins to speak with a server whose requests stand alone, once it is known that it does.
import { Client } from "../client.ts";
import { capabilitiesOf } from "../client-requests/client-request-handlers.ts";
import type { Agreed } from "../era.ts";
import { factsOf, type Meeting } from "../connection/connection.ts";
import { CLIENT_INFO } from "../options.ts";
import { Envelope } from "./envelope.ts";
import { DISCOVER, probe, type Found } from "../negotiation/discovery.ts";
import { Stateless } from "./stateless-era.ts";

/** Asks the server how it speaks; `ours` are the revisions that will do. */
export function discover(meeting: Meeting, ours: readonly string[], signal = meeting.options.signal): Promise<Found> {
  const { link, handlers, options, facts } = meeting;
  const { clientInfo = CLIENT_INFO } = options;
  const capabilities = { ...options.capabilities, ...capabilitiesOf(handlers, facts) };
  return probe((revision) => {
    const envelope = new Envelope(revision, capabilities, clientInfo === false ? undefined : clientInfo);
    // A server of the other era would not know what a cancelled probe is.
    return link.request(DISCOVER, envelope.around(), { quiet: true, ...(signal && { signal }) });
  }, ours);
}

export async function meetAlone(meeting: Meeting, agreed: Agreed): Promise<Client> {
  const { link, handlers, closed } = meeting;
  meeting.facts = factsOf(agreed.revision);
  const era = new Stateless(meeting, agreed.revision);
  try {
    await era.begin(agreed);
  } catch (error) {
    throw await meeting.fail(error);
  }
  meeting.keepAlive((timeoutMs) => era.ping({ timeoutMs }));
  return new Client(agreed, { link, era, handlers, closed });
}
