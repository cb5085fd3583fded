import type { JsonObject } from '../../json.ts'
import type { Rows } from '../rows.ts'
import type { Response } from './response.ts'

/** What a response needs from its profile when it ends. */
export interface Ending {
  /** Closes the blocks that the profile itself keeps open between events. */
  closeLoose(): void
  /** The metadata of the message so far, for its `finish`. */
  finishMetadata(): JsonObject
}

export interface Profile extends Ending {
  readonly rows: Rows
}

export type CreateProfile = (response: Response) => Profile
