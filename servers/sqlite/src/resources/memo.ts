// memo://insights: what append_insight noted.
import { resource } from "@oarlock/server-kit";
import type { Insights } from "../insights.ts";

export const memo = (insights: Insights, maxBytes: number) =>
  resource({
    uri: "memo://insights",
    name: "Business Insights Memo",
    title: "Insights",
    description: "A living document of discovered business insights",
    mimeType: "text/plain",
    read: () => insights.memo(maxBytes),
    watch: (changed) => insights.watch(changed),
  });
