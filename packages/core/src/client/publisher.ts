/** What `useSyncExternalStore` needs: a view that stays the same object until listeners are called. */
export interface Published<View> {
  snapshot(): View
  /** The returned function unsubscribes. */
  subscribe(listener: () => void): () => void
}

export interface Publisher<View> extends Published<View> {
  /** Something may have changed. Listeners are called at most once per frame, and only if the view has changed. */
  changed(): void
  /** As `changed`, without waiting for the frame: for what a caller awaits. */
  publish(): void
}

/** `next` returns the current view, or the previous one if nothing has changed. */
export function createPublisher<View>(
  initial: View,
  schedule: (call: () => void) => void,
  next: (before: View) => View,
): Publisher<View> {
  const listeners = new Set<{ readonly call: () => void }>()
  let view = initial
  let isDue = false

  function publish(): void {
    const after = next(view)
    if (after === view) return
    view = after
    for (const { call } of [...listeners]) call()
  }

  return {
    snapshot: () => view,
    subscribe(call) {
      const listener = { call }
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    changed() {
      if (isDue) return
      isDue = true
      schedule(() => {
        isDue = false
        publish()
      })
    },
    publish,
  }
}

/** Whether two objects have the same fields with the same values, one level deep. */
export function isSame<Shape extends object>(one: Shape, other: Shape): boolean {
  const keys = Object.keys(one) as (keyof Shape)[]
  return keys.length === Object.keys(other).length && keys.every((key) => Object.is(one[key], other[key]))
}
