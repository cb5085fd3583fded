/** Where the bytes for one client go. Node's response, the web's `Response` and a WebSocket are members; writers see no difference. */
export interface Sink {
  /** Sends the head. MUST be called once, before anything is written. */
  open(head: { readonly status: number; readonly headers: { readonly [name: string]: string } }): void
  /** Returns true if the client keeps up, false if `drained` should be awaited before the next write. */
  write(bytes: Uint8Array): boolean
  /** Resolves when the client has taken what was written, or is gone. */
  drained(): Promise<void>
  end(): void
  /** Cuts the connection without an end. The client is expected to return with its cursor. */
  cut(): void
  /** Fires when the client is gone, and after the end: who listens to something for this client stops. */
  readonly closed: AbortSignal
}

/** The open sinks that a signal cuts. */
const openSinks = new WeakMap<AbortSignal, Set<Pick<Sink, 'cut'>>>()

/**
 * Cuts the sink when the signal fires. Nothing of a client that is gone is kept. The option `signal` of an event listener
 * does not promise that: Node keeps what removes such a listener only for the newest of each target, until it collects.
 */
export function cutAt(shutdown: AbortSignal, sink: Pick<Sink, 'cut' | 'closed'>): void {
  if (sink.closed.aborted) return
  const sinks = openSinks.get(shutdown) ?? watched(shutdown)
  sinks.add(sink)
  sink.closed.addEventListener('abort', () => sinks.delete(sink), { once: true })
}

function watched(shutdown: AbortSignal): Set<Pick<Sink, 'cut'>> {
  const sinks = new Set<Pick<Sink, 'cut'>>()
  openSinks.set(shutdown, sinks)
  const cutAll = () => {
    for (const sink of sinks) sink.cut()
  }
  shutdown.addEventListener('abort', cutAll, { once: true })
  return sinks
}
