// Several nodes of the shop for the stateless era, over one backplane. A test can cut the link of each node to it.
import { cluster } from "../../src/index.ts";
import { tool } from "@oarlock/server-kit";
import type { ServeHttpOptions } from "@oarlock/server-kit/node";
import type { Json } from "@oarlock/server-kit/protocol";
import type { Answer } from "../../../server-kit/test/support/answer.ts";
import { BackplaneLink } from "./backplane-link.ts";
import { openWorld, type Connect } from "./nodes.ts";
import { NODE, type Place } from "../../../server-kit/test/support/stateless-faces.ts";
import { stockShop, type Shop } from "../../../server-kit/test/support/stateless-shop.ts";

export interface ShopNode {
  readonly link: BackplaneLink;
  readonly shop: Shop;
  readonly place: Place;
  /** Opens a subscription stream; gives it after its acknowledgement. */
  listen(notifications: Json): Promise<Answer>;
  /** Changes the list of tools. */
  growTools(name: string): void;
}

export interface ShopNodes extends AsyncDisposable {
  /** Connects a further node. */
  readonly connect: Connect;
  readonly all: readonly ShopNode[];
}

export async function shopNodes(count: number, options: ServeHttpOptions = {}, connect = openWorld()): Promise<ShopNodes> {
  const worlds = await Promise.all(Array.from({ length: count }, connect));
  const all = await Promise.all(worlds.map((world) => openNode(new BackplaneLink(world), options)));
  return {
    all,
    connect,
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map(({ place }) => place.stop()));
      await Promise.all(worlds.map((world) => world.close()));
    },
  };
}

async function openNode(link: BackplaneLink, options: ServeHttpOptions): Promise<ShopNode> {
  const shop = stockShop();
  const place = await NODE.open(shop.server, {
    cluster: cluster({ backplane: link }),
    stateKeys: ["a key of many characters"],
    ...options,
  });
  return {
    link,
    shop,
    place,
    async listen(notifications) {
      const answer = await place.request("subscriptions/listen", { notifications });
      await answer.message();
      return answer;
    },
    growTools: (name) => shop.server.tools.add(tool({ name, run: () => "" })),
  };
}
