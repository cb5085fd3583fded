import type { Channel, Fetch, Locks, PlatformOptions, Wake } from '../../src/client/platform.ts'
import type { Entry } from '../../src/entry.ts'
import type { StreamEvent } from '../../src/events.ts'

/** Waits until all pending work is done, except for timers of the platform. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setTimeout(resolve, 0))
}

/** A platform whose clock, frames and wakes the test controls. */
export function createWorld() {
  let now = 0
  let timers: { readonly at: number; readonly call: () => void }[] = []
  let frames: (() => void)[] = []
  const wakes = new Set<(wake: Wake) => void>()
  const hides = new Set<() => void>()
  const screen = { isHidden: false, isOnline: true }
  const options = {
    now: () => now,
    random: () => 0.5,
    setTimer(milliseconds: number, call: () => void) {
      const timer = { at: now + milliseconds, call }
      timers.push(timer)
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    schedule: (call: () => void) => {
      frames.push(call)
    },
    onWake(call: (wake: Wake) => void) {
      wakes.add(call)
      return () => wakes.delete(call)
    },
    onHide(call: () => void) {
      hides.add(call)
      return () => hides.delete(call)
    },
    isOnline: () => screen.isOnline,
    isHidden: () => screen.isHidden,
  } satisfies PlatformOptions

  return {
    options,
    screen,
    /** Draws one frame. Returns how many publications waited for it. */
    frame(): number {
      const due = frames
      frames = []
      for (const call of due) call()
      return due.length
    },
    hide() {
      screen.isHidden = true
      for (const call of [...hides]) call()
    },
    wake(wake: Wake) {
      screen.isHidden &&= wake !== 'visible'
      for (const call of [...wakes]) call(wake)
    },
    async advance(milliseconds: number) {
      const until = now + milliseconds
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0]
        if (next === undefined) break
        timers = timers.filter((timer) => timer !== next)
        now = Math.max(now, next.at)
        next.call()
        await settle()
      }
      now = until
    },
  }
}

/** The locks and channels of one browser for the tabs of a test. Messages are copied and arrive later. */
export function createBrowser() {
  const queues = new Map<string, LockRequest[]>()
  const channels = new Map<string, Set<Channel>>()

  function grantNext(name: string): void {
    const [first] = queues.get(name) ?? []
    if (first === undefined || first.isHeld) return
    first.isHeld = true
    first.hold().then(() => {
      drop(name, first)
      first.resolve()
    })
  }

  function drop(name: string, request: LockRequest): void {
    const queue = queues.get(name) ?? []
    if (!queue.includes(request)) return
    queue.splice(queue.indexOf(request), 1)
    grantNext(name)
  }

  const locks: Locks = {
    request: (name, { signal, steal }, hold) =>
      new Promise<void>((resolve, reject) => {
        const queue = queues.get(name) ?? []
        queues.set(name, queue)
        const request: LockRequest = { hold, resolve, reject, isHeld: false }
        const [holder] = queue
        if (steal && holder?.isHeld) queue.shift()?.reject(new Error('stolen'))
        if (steal) queue.unshift(request)
        else queue.push(request)
        signal?.addEventListener('abort', () => {
          if (request.isHeld) return
          drop(name, request)
          reject(new Error('aborted'))
        })
        queueMicrotask(() => grantNext(name))
      }),
  }

  function openChannel(name: string): Channel {
    const members = channels.get(name) ?? new Set()
    channels.set(name, members)
    const channel: Channel = {
      onmessage: null,
      postMessage(message) {
        const data = structuredClone(message)
        for (const other of members) {
          if (other !== channel) queueMicrotask(() => other.onmessage?.({ data }))
        }
      },
      close: () => {
        members.delete(channel)
      },
    }
    members.add(channel)
    return channel
  }

  return { locks, openChannel, waiting: (name: string) => queues.get(name)?.length ?? 0 }
}

interface LockRequest {
  readonly hold: () => Promise<void>
  readonly resolve: () => void
  readonly reject: (reason: Error) => void
  isHeld: boolean
}

/** A server of one run in the same process: every reader gets the appended entries. */
export function createRunServer(...events: readonly StreamEvent[]) {
  const entries: Entry[] = []
  const requests: { readonly url: string; readonly headers: unknown }[] = []
  const readers = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const answer = { status: 200 }

  const frameOf = (entry: Entry) => new TextEncoder().encode(`id: ${entry.seq}\ndata: ${JSON.stringify(entry)}\n\n`)

  function append(...more: readonly StreamEvent[]): void {
    for (const event of more) {
      const entry = { seq: entries.length + 1, at: entries.length * 10, event, rawThrough: 0 }
      entries.push(entry)
      for (const reader of readers) reader.enqueue(frameOf(entry))
    }
  }

  const fetch: Fetch = async (url, { headers, signal }) => {
    requests.push({ url, headers })
    if (answer.status === 0) throw new TypeError('Load failed')
    if (answer.status !== 200) {
      return Response.json({ error: { code: 'refused', message: 'No.' } }, { status: answer.status })
    }
    const after = Number(new URL(url).searchParams.get('after'))
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({
      cancel() {
        if (controller !== undefined) readers.delete(controller)
      },
      start(reader) {
        controller = reader
        for (const entry of entries.slice(after)) reader.enqueue(frameOf(entry))
        readers.add(reader)
        signal?.addEventListener('abort', () => {
          if (readers.delete(reader)) reader.error(new Error('aborted'))
        })
      },
    })
    return new Response(body)
  }

  append(...events)
  return {
    entries,
    requests,
    answer,
    fetch,
    append,
    viewers: () => readers.size,
    send(text: string) {
      for (const reader of readers) reader.enqueue(new TextEncoder().encode(text))
    },
    cut() {
      for (const reader of readers) reader.error(new Error('cut'))
      readers.clear()
    },
  }
}

/** The events of a short answer, cut into one delta per word. */
export function answerEvents(...words: readonly string[]): StreamEvent[] {
  return [
    { type: 'run-start' },
    { type: 'message-start', messageId: 'm', role: 'assistant' },
    { type: 'block-start', blockId: 'b', kind: 'text' },
    ...words.map((text): StreamEvent => ({ type: 'block-delta', blockId: 'b', text })),
  ]
}

export const ending: readonly StreamEvent[] = [
  { type: 'block-end', blockId: 'b' },
  { type: 'message-end', messageId: 'm' },
  { type: 'run-end', outcome: 'success' },
]
