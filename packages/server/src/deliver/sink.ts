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
