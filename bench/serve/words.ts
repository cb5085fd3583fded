/** What the processes of the row say to each other. */

export type Serving = 'floor' | 'shared' | 'own'

/** To the server. */
export type Order =
  | { readonly do: 'cpu' }
  | { readonly do: 'heap' }
  | { readonly do: 'play'; readonly events: number; readonly atOnce: number }

/** To the viewers. */
export interface Watching {
  readonly port: number
  readonly streams: number
}

/** From either. CPU in microseconds, heap in bytes. */
export type Told =
  | { readonly port: number }
  | { readonly cpu: number }
  | { readonly heap: number }
  | { readonly all: 'open' | 'ended' }
