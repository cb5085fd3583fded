/**
 * Where bytes for one client go. Node's response and the web's `Response` are members: whoever writes does not know
 * which it is.
 */
export interface Sink {
  /** Sends the head; once, before anything is written. */
  open(head: { readonly status: number; readonly headers: { readonly [name: string]: string } }): void
  /** Hands bytes over. True if the client keeps up; false if `drained` should be awaited first. */
  write(bytes: Uint8Array): boolean
  /** Resolves when the client has taken what was written, or is gone. */
  drained(): Promise<void>
  end(): void
  /** Cuts the connection: the client is expected to come back with its cursor. */
  cut(): void
  /** Fires when the client is gone. */
  readonly closed: AbortSignal
}
