import { parsers } from '@millrace/core/parse'
import { atOnce } from '../faults/at-once.ts'
import { AG_UI_VERSIONS, agUiTrials } from './ag-ui.ts'
import { AI_SDK_VERSIONS, aiSdkTrials } from './ai-sdk.ts'
import { type Recorded, recordedOf } from './recorded.ts'
import { verdictOf } from './report.ts'
import { type Stage, withStage } from './stage.ts'
import { messageOf, type Trial, within } from './trial.ts'
import { WRITTEN, writtenTrials } from './written.ts'

/** How long a recording may take in all clients, in ms. */
const PATIENCE = 180_000

/** The results of one recording. */
export interface Tried {
  readonly recorded: Recorded
  readonly trials: readonly Trial[]
}

/** How many recordings are played at a time. */
const AT_ONCE = 2

/** Plays the recordings of all formats whose names contain the part to all clients, and prints a line per format. */
export async function tryFormats(namePart: string): Promise<readonly Tried[]> {
  const tried: Tried[] = []
  for (const format of Object.keys(parsers).filter((name) => name.includes(namePart))) {
    const began = performance.now()
    const found = await tryClients(recordedOf(format), AT_ONCE)
    tried.push(...found)
    const { problems } = verdictOf(found)
    const seconds = ((performance.now() - began) / 1_000).toFixed(1)
    console.log(`${format}: ${found.length} recordings, ${problems.length} problems, ${seconds} s`)
    for (const problem of problems) console.log(`  ${problem}`)
  }
  return tried
}

/** Plays recordings to all clients, `most` at a time. */
export function tryClients(recordings: readonly Recorded[], most: number): Promise<readonly Tried[]> {
  return withStage(recordings, (stage) =>
    atOnce(most, recordings, async (recorded) => ({ recorded, trials: await trialsOf(stage, recorded) })),
  )
}

type TryOut = (stage: Stage, recorded: Recorded) => Promise<readonly Trial[]>

/** Each with the column of the report that a throw counts in. */
const clients: readonly (readonly [string, TryOut])[] = [
  ...AI_SDK_VERSIONS.map((version) => [version.columns[0], tryWith(aiSdkTrials, version)] as const),
  ...AG_UI_VERSIONS.map((version) => [version.columns[0], tryWith(agUiTrials, version)] as const),
  [WRITTEN[0] ?? '', writtenTrials],
]

function tryWith<Version>(
  tryOut: (stage: Stage, recorded: Recorded, version: Version) => Promise<readonly Trial[]>,
  version: Version,
): TryOut {
  return (stage, recorded) => tryOut(stage, recorded, version)
}

async function trialsOf(stage: Stage, recorded: Recorded): Promise<readonly Trial[]> {
  const trials = clients.map(([client, tryOut]) =>
    within(PATIENCE, tryOut(stage, recorded)).catch((error: unknown) => [failed(client, error)]),
  )
  return (await Promise.all(trials)).flat()
}

const failed = (client: string, error: unknown): Trial => ({ client, refusals: [messageOf(error)], differences: [] })
