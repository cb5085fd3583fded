/** What the processes of a row say to each other. */

/** `counted` is `shared`, with an eye on the formatters. */
export type Serving = 'floor' | 'shared' | 'own' | 'counted'

/** What the server is started with. */
export interface Setup {
  readonly serving: Serving
  readonly wire: string
  /** Of the run that is played. */
  readonly events: number
}

/** To the server. */
export type Order =
  | { readonly do: 'cpu' }
  | { readonly do: 'heap' }
  | { readonly do: 'formatted' }
  | { readonly do: 'play'; readonly atOnce: number }

/** To the viewers. */
export interface Watching {
  readonly port: number
  readonly streams: number
}

/** What formatters have done: how often they were asked, and for how long, in microseconds. */
export interface Formatted {
  readonly calls: number
  readonly time: number
}

/** From either. CPU in microseconds, heap in bytes. */
export type Told =
  | { readonly port: number }
  | { readonly cpu: number }
  | { readonly heap: number }
  | { readonly formatted: Formatted }
  | { readonly all: 'open' | 'ended' }
