import type { ThreadDetail } from '@millrace/core/api'
import type { Log } from '@millrace/server/log/log'
import type { BrowserContext } from 'playwright-core'
import type { Held, Piece } from '../../../clients/contract.ts'
import { messageOf, unlike } from '../trial.ts'
import type { Script } from './agents.ts'
import { openTab, type Tab } from './drive.ts'
import { expectedPieces } from './expected.ts'
import type { Scene } from './scenes.ts'
import { until } from './until.ts'

/** A published client with a page of its own. */
export interface PageClientEntry {
  /** Its page, below `clients/pages`. */
  readonly page: string
  readonly title: string
  /** The packages whose versions the report names. */
  readonly packages: readonly string[]
  /** Scenes that it cannot play as the others do, with the reason. */
  readonly exceptions?: { readonly [scene: string]: string }
  /** Scenes that end otherwise after a reload, with the reason. */
  readonly unlikeReloaded?: { readonly [scene: string]: string }
  /** What it shows otherwise than our own client. */
  piece?(piece: Piece): Piece
  /** Why it is asked two questions one after the other. */
  readonly oneByOne?: string
  /** Errors of its own that it may show for something that is none, such as its own stop. */
  readonly ownErrors?: readonly string[]
  /** What the report has to say about it. */
  readonly notes?: readonly string[]
}

export interface Trying {
  readonly url: string
  /** The app on the server itself, with its token. */
  readonly app: string
  readonly log: Log
  readonly script: Script
  readonly context: BrowserContext
  /** The thread as the server has it. */
  thread(threadId: string): Promise<ThreadDetail>
}

/** The problems of a client in a scene; none if it ended with what the thread has, and so after a reload. */
export async function tryScene(trying: Trying, entry: PageClientEntry, scene: Scene): Promise<readonly string[]> {
  const threadId = `${entry.page}-${scene.title.replaceAll(/\W+/g, '-')}`
  const address = `${trying.url}${entry.page}/?agent=${scene.agent}&thread=${threadId}`
  let tab: Tab | undefined
  try {
    tab = await openTab(trying.context, {
      address,
      threadId,
      mostQuestions: entry.oneByOne === undefined ? 2 : 1,
      ...trying,
    })
    await scene.play(tab)
    const problems = [
      ...(await compared(trying, entry, tab, threadId)),
      ...errorProblems(entry, scene, await tab.held()),
      ...(await outcomeProblems(trying.log, scene, threadId)),
    ]
    if (entry.unlikeReloaded?.[scene.title] !== undefined) return problems
    await tab.reload()
    const reloaded = await compared(trying, entry, tab, threadId)
    // A client may throw the run's own error once more.
    const pageFaults = tab.faults.filter((fault) => fault !== scene.error).map((fault) => `the page threw: ${fault}`)
    return [...problems, ...reloaded.map((problem) => `reloaded, ${problem}`), ...pageFaults]
  } catch (error) {
    return [messageOf(error)]
  } finally {
    await tab?.close()
  }
}

/** What the client holds and draws, and the thread, as soon as they are alike; otherwise after a while. */
async function compared(
  { thread }: Trying,
  entry: PageClientEntry,
  tab: Tab,
  threadId: string,
): Promise<readonly string[]> {
  const expected = expectedPieces(await thread(threadId)).map((piece) => entry.piece?.(piece) ?? piece)
  let problems: readonly string[] = []
  await until(
    'the client holds the thread',
    async () => {
      const { pieces, isBusy } = await tab.held()
      const held = pieces.filter((piece) => !('text' in piece) || piece.text !== '')
      const drawn = wordsOf(await tab.drawn())
      problems = [
        ...unlike(held, expected, 'the thread'),
        ...expected.flatMap((piece) =>
          'text' in piece && piece.type !== 'reasoning' && !drawn.includes(wordsOf(piece.text))
            ? [`"${piece.text}" is not drawn`]
            : [],
        ),
        ...(isBusy ? ['the client waits for more'] : []),
      ]
      return problems.length === 0 ? true : undefined
    },
    () => undefined,
  ).catch(() => undefined)
  return problems
}

const wordsOf = (text: string) => text.replaceAll(/[\s"\\]+/g, ' ')

function errorProblems({ ownErrors = [] }: PageClientEntry, scene: Scene, held: Held): readonly string[] {
  const { error, outputs = 0 } = scene
  const shown = held.error === undefined || ownErrors.includes(held.error) ? '' : held.error
  return [...unlike(shown, error ?? '', 'the error'), ...unlike(held.outputs, outputs, 'the outputs')]
}

async function outcomeProblems(log: Log, { outcomes }: Scene, threadId: string): Promise<readonly string[]> {
  const runs = await log.runs(threadId)
  return unlike(
    runs.map(({ outcome, state }) => outcome ?? state),
    outcomes,
    'the outcomes',
  )
}
