import type { Api, ListedThread } from '@millrace/core/client'
import { type ChatEvent, withRunUsage } from '@millrace/core/fold'
import { saveText } from '../save-text.ts'

/** Saves the messages of threads, one file each, in the format `chat-events`: it can be imported again. */
export async function exportThreads(
  api: Pick<Api, 'thread'>,
  threads: readonly Pick<ListedThread, 'id' | 'title'>[],
): Promise<void> {
  for (const { id, title } of threads)
    saveText(`${fileNameOf(title, id)}.chat-events.json`, jsonOf(await allEvents(api, id)), 'application/json')
}

/** The messages of all runs, oldest first. */
async function allEvents(api: Pick<Api, 'thread'>, threadId: string): Promise<readonly ChatEvent[]> {
  const pages: (readonly ChatEvent[])[] = []
  let before: string | undefined
  do {
    const { chatEvents, runs, next } = await api.thread(threadId, before === undefined ? {} : { before })
    pages.unshift(withRunUsage(chatEvents, (runId) => runs.find(({ id }) => id === runId)?.usage))
    before = next
  } while (before !== undefined)
  return pages.flat()
}

/** A JSON array with a message per line, so that two exports can be compared line by line. */
const jsonOf = (events: readonly ChatEvent[]): string =>
  `[\n${events.map((event) => JSON.stringify(event)).join(',\n')}\n]\n`

const LONGEST_NAME = 60

/** Letters and digits of the title, else the thread's id. */
function fileNameOf(title: string, id: string): string {
  const name = title
    .normalize('NFKC')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-|-$/g, '')
  return name === '' ? id : name
}
