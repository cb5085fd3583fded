import { remember } from '../../data/remember.ts'

/** Makes ids unique within the run: vendors restart at `call_0`, or leave the id of a response empty. */
export interface UniqueIds {
  claim(id: string): string
}

export function createUniqueIds(): UniqueIds {
  const timesSeen = new Map<string, number>()
  return {
    claim(id) {
      const times = (timesSeen.get(id) ?? 0) + 1
      remember(timesSeen, id, times)
      return times === 1 ? id : `${id}#${times}`
    },
  }
}
