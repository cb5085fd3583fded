/** Scrolls a box, without motion for those who want none. */
export function scrollSmoothly(box: Element, top: number): void {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  box.scrollTo({ top: Math.max(0, top), behavior: isStill ? 'instant' : 'smooth' })
}

/** Scrolls a box so that an element stands in its upper third; an element that is in view stays. */
export function revealIn(box: Element, target: Element): void {
  const [piece, frame] = [target.getBoundingClientRect(), box.getBoundingClientRect()]
  const isInView = piece.top >= frame.top && Math.min(piece.bottom, piece.top + frame.height / 2) <= frame.bottom
  if (!isInView) scrollSmoothly(box, box.scrollTop + piece.top - frame.top - frame.height / 3)
}
