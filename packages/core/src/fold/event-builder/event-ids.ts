/** The ids of the Events of a builder, by position. No Event overwrites another. */
export interface EventIds {
  readonly count: number
  at(position: number): string
  /** The first Event takes the placeholder's id. Another one whose id is in use, or that has none, gets a number. */
  add(givenId: string | undefined): string
}

export function createEventIds(placeholderEventId: string): EventIds {
  const ids: string[] = []
  /** Every id in use → the number to try next for another Event with the same id. */
  const nextNumbers = new Map<string, number>()

  function idOf(givenId: string | undefined): string {
    if (ids.length === 0) return placeholderEventId
    const base = givenId ?? placeholderEventId
    let number = nextNumbers.get(base)
    if (number === undefined) return base
    while (nextNumbers.has(`${base}~${number}`)) number++
    nextNumbers.set(base, number + 1)
    return `${base}~${number}`
  }

  return {
    get count() {
      return ids.length
    },
    at: (position) => ids[position] as string,
    add(givenId) {
      const id = idOf(givenId)
      ids.push(id)
      if (!nextNumbers.has(id)) nextNumbers.set(id, 2)
      return id
    },
  }
}
