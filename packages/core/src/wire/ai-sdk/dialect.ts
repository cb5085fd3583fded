import type { JsonObject } from '../../json.ts'
import type { Rows } from '../rows.ts'
import type { Response } from './response.ts'

/** What a response needs from its dialect when it ends. */
export interface Ending {
  /** Closes the blocks that the dialect itself keeps open between events. */
  closeLoose(): void
  /** The metadata of the message so far, for its `finish`. */
  finishMetadata(): JsonObject
}

export interface Dialect extends Ending {
  readonly rows: Rows
}

export type CreateDialect = (response: Response) => Dialect
