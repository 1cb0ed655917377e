/** actionButton(): a button whose action takes a while. */
import { button } from "./controls.ts";
import type { Page } from "./page.ts";

interface ActionOptions {
  readonly page: Pick<Page, "act">;
  act(): Promise<void>;
  /** Gets the focus where the action has removed the button that had it. */
  successor(): HTMLElement | null | undefined;
}

/** A button that is disabled while its action runs, so that a second click counts for nothing. */
export function actionButton(label: string, { page, act, successor }: ActionOptions): HTMLButtonElement {
  const control = button(label, () => {
    control.disabled = true;
    page.act(async () => {
      try {
        await act();
      } finally {
        control.disabled = false;
        const isFocusLost = document.activeElement === null || document.activeElement === document.body;
        if (isFocusLost) (control.isConnected ? control : successor())?.focus();
      }
    });
  });
  return control;
}
