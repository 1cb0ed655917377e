// LoadedSharing: what the nodes of a service share, filled in as the parts of the transport are loaded.
import type { Backplane } from "../../backplane/backplane.ts";
import type { Lease, News, Sharing } from "../../server/sharing.ts";

export class LoadedSharing implements Sharing {
  readonly backplane: Backplane;
  readonly lease: Promise<Lease>;
  readonly provideLease: (lease: Lease) => void;
  news: News | undefined;

  constructor(backplane: Backplane) {
    this.backplane = backplane;
    const { promise, resolve } = Promise.withResolvers<Lease>();
    this.lease = promise;
    this.provideLease = resolve;
  }
}
