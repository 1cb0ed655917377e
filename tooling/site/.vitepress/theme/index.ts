// The default theme of VitePress, with what it lacks for screen readers and for contrast.
import DefaultTheme from "vitepress/theme";
import { defineAsyncComponent, defineComponent, h, nextTick, onMounted, ref, watch } from "vue";
import { useRoute, type Theme } from "vitepress";
import "./style.css";

// Loaded by its own page only, and only in a browser.
const Playground = defineAsyncComponent(() => import("./playground/playground.ts"));
const PlaygroundInBrowser = defineComponent(() => {
  const isMounted = ref(false);
  onMounted(() => (isMounted.value = true));
  return () => (isMounted.value ? h(Playground) : undefined);
});

const theme: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component("Playground", PlaygroundInBrowser),
  setup() {
    const route = useRoute();
    onMounted(markHome);
    watch(
      () => route.path,
      async () => {
        await nextTick();
        markHome();
      },
    );
  },
};

/** Other pages have an element `main`; the first one has none. */
function markHome(): void {
  const content = document.querySelector("#VPContent");
  if (content?.querySelector("main") === null) content.setAttribute("role", "main");
  else content?.removeAttribute("role");
}

export default theme;
