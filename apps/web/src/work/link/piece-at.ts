/**
 * The drawn piece that holds an entry: of several, the one with the fewest entries, which is the innermost. Undefined if it is
 * not in the page: it has not been reached, or it is far from what is visible.
 */
export function pieceAt(thread: Element, runId: string, seq: number): Element | undefined {
  const ofRun = [...thread.querySelectorAll('[data-run]')].filter((piece) => piece.getAttribute('data-run') === runId)
  const outer = ofRun.filter((piece) => extentAt(piece, seq) !== undefined)
  let [best, least]: [Element | undefined, number] = [undefined, Number.POSITIVE_INFINITY]
  for (const piece of outer.flatMap((each) => [each, ...each.querySelectorAll('[data-seqs]')])) {
    const extent = extentAt(piece, seq)
    if (extent !== undefined && extent <= least) [best, least] = [piece, extent]
  }
  return best
}

/** How many entries a piece has after its first, if the entry is one of them. */
function extentAt(piece: Element, seq: number): number | undefined {
  const [first = Number.NaN, last = Number.NaN] = (piece.getAttribute('data-seqs') ?? '').split('-').map(Number)
  return first <= seq && seq <= last ? last - first : undefined
}
