// The default theme of VitePress, with what it lacks for screen readers and for contrast.
import DefaultTheme from "vitepress/theme";
import { nextTick, onMounted, watch } from "vue";
import { useRoute, type Theme } from "vitepress";
import "./style.css";

const theme: Theme = {
  extends: DefaultTheme,
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
