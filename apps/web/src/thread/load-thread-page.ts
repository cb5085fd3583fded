/** The page of a thread, with the views of all its pieces: more than half of the app. Loaded when a thread is first shown. */
export const loadThreadPage = async () => ({ default: (await import('./thread-page.tsx')).ThreadPage })

/** Loads it while nothing else is to be done: a run that is started from here is shown at once. */
export function preloadThreadPage(): void {
  // Safari has no such callback.
  const soon = globalThis.requestIdleCallback ?? ((call: () => void) => setTimeout(call, 1_000))
  soon(() => void loadThreadPage().catch(() => undefined))
}
