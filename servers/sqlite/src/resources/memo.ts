// memo://insights: the insights of append_insight.
import { resource } from "@oarlock/server-kit";
import type { Dependencies } from "../dependencies.ts";

export const memo = ({ insights, maxResultBytes }: Dependencies) =>
  resource({
    uri: "memo://insights",
    name: "Business Insights Memo",
    title: "Insights",
    description: "A living document of discovered business insights",
    mimeType: "text/plain",
    read: () => insights.memo(maxResultBytes),
    noticesOtherProcesses: true,
    watch: (changed) => insights.watch(changed),
  });
