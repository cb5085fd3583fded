/** A message under the name of its topic, as it travels. */
export interface Outgoing {
  readonly name: string
  readonly text: string
}

/** What is still to be sent, in bounded memory. */
export interface Outbox {
  readonly isEmpty: boolean
  add(outgoing: Outgoing): void
  /** Takes the oldest messages, as many as one batch holds. */
  take(): readonly Outgoing[]
  /** Puts a batch back that could not be sent. */
  putBack(batch: readonly Outgoing[]): void
}

/** In characters. What a message costs beside its own is about the weight of its object. */
const LARGEST_OUTBOX = 2 * 1024 * 1024
const LARGEST_BATCH = 128 * 1024
const WEIGHT = 64

const sizeOf = ({ name, text }: Outgoing) => name.length + text.length + WEIGHT

/**
 * `everyone` is the empty message to all listeners. If there is too much to send, every topic is left with one empty message; if there are too many topics, all listeners are called
 * instead. So a listener may miss what a message says, but never that there was one.
 */
export function createOutbox(everyone: Outgoing): Outbox {
  let waiting: Outgoing[] = []
  let size = 0

  function replace(next: Outgoing[]): void {
    waiting = next
    size = next.reduce((sum, outgoing) => sum + sizeOf(outgoing), 0)
  }

  function shrink(): void {
    const names = new Set(waiting.map(({ name }) => name))
    replace([...names].map((name) => ({ name, text: everyone.text })))
    // Half, so that this is not repeated with every message.
    if (size > LARGEST_OUTBOX / 2) replace([everyone])
  }

  return {
    get isEmpty() {
      return waiting.length === 0
    },
    add(outgoing) {
      if (waiting[0] === everyone) return
      waiting.push(outgoing)
      size += sizeOf(outgoing)
      if (size > LARGEST_OUTBOX) shrink()
    },
    take() {
      let [count, taken] = [0, 0]
      for (; count < waiting.length && (count === 0 || taken < LARGEST_BATCH); count++) {
        taken += sizeOf(waiting[count] as Outgoing)
      }
      size -= taken
      return waiting.splice(0, count)
    },
    putBack(batch) {
      replace(batch[0] === everyone || waiting[0] === everyone ? [everyone] : [...batch, ...waiting])
      if (size > LARGEST_OUTBOX) shrink()
    },
  }
}
