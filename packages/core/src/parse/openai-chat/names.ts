/** How many ids are remembered: an endless stream must not grow. */
const MAX_REMEMBERED = 8192

/** Makes ids unique within the run: vendors begin again at `call_0`, or leave the id of a response empty. */
export interface Names {
  claim(id: string): string
}

export function createNames(): Names {
  const timesSeen = new Map<string, number>()
  return {
    claim(id) {
      const times = (timesSeen.get(id) ?? 0) + 1
      if (timesSeen.size === MAX_REMEMBERED) timesSeen.clear()
      timesSeen.set(id, times)
      return times === 1 ? id : `${id}#${times}`
    },
  }
}
