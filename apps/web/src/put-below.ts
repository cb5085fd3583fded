const GAP = 4

/** Puts a pane below the button that opened it, or above if there is no room; within the window. */
export function putBelow(pane: HTMLElement, { left, right, top, bottom }: DOMRect): void {
  const { offsetWidth: width, offsetHeight: height } = pane
  const isRight = left + width > innerWidth - GAP
  const isAbove = bottom + GAP + height > innerHeight && top - GAP - height > 0
  pane.style.left = `${Math.max(GAP, isRight ? right - width : left)}px`
  pane.style.top = `${isAbove ? top - GAP - height : bottom + GAP}px`
}
