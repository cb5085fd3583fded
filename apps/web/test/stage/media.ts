/** A media query whose answer the scene decides. */
export class FakeMedia extends EventTarget {
  readonly media: string
  matches = false
  constructor(media: string) {
    super()
    this.media = media
  }
}

const queries = new Map<string, FakeMedia>()

const queryOf = (media: string) => {
  const found = queries.get(media) ?? new FakeMedia(media)
  queries.set(media, found)
  return found
}

/** No query matches at first. */
export function installMedia(): void {
  queries.clear()
  window.matchMedia = (media) => queryOf(media) as unknown as MediaQueryList
}

/** Changes the answer to every query that contains these words. */
export function setMedia(words: string, matches: boolean): void {
  const change = (query: FakeMedia) => {
    query.matches = matches
    query.dispatchEvent(new Event('change'))
  }
  for (const query of queries.values()) if (query.media.includes(words)) change(query)
}

/** The screen is narrow from the start. */
export function beNarrow(media = '(max-width: 719px)'): void {
  queryOf(media).matches = true
}
