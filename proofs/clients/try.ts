import { atOnce } from '../faults/at-once.ts'
import { AGENT, agUiTrials } from './ag-ui.ts'
import { aiSdkTrials, CHAT } from './ai-sdk.ts'
import type { Recorded } from './recorded.ts'
import { type Stage, withStage } from './stage.ts'
import { messageOf, type Trial, within } from './trial.ts'
import { WRITTEN, writtenTrials } from './written.ts'

/** The longest that a recording may take in all clients, in ms. */
const PATIENCE = 60_000

/** What became of one recording. */
export interface Tried {
  readonly recorded: Recorded
  readonly trials: readonly Trial[]
}

/** Plays recordings to all clients, so many at a time. */
export function tryClients(recordings: readonly Recorded[], most: number): Promise<readonly Tried[]> {
  return withStage(recordings, (stage) =>
    atOnce(most, recordings, async (recorded) => ({ recorded, trials: await trialsOf(stage, recorded) })),
  )
}

/** By the column that a throw counts in. */
const clients = { [CHAT]: aiSdkTrials, [AGENT]: agUiTrials, [WRITTEN[0] ?? '']: writtenTrials }

async function trialsOf(stage: Stage, recorded: Recorded): Promise<readonly Trial[]> {
  const trials = Object.entries(clients).map(([client, tryOut]) =>
    within(PATIENCE, tryOut(stage, recorded)).catch((error: unknown) => [failed(client, error)]),
  )
  return (await Promise.all(trials)).flat()
}

const failed = (client: string, error: unknown): Trial => ({ client, refusals: [messageOf(error)], differences: [] })
