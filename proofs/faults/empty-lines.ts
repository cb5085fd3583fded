import { ask, ingest } from './asking.ts'
import type { Fault } from './fault.ts'
import { withServer } from './server-process.ts'
import { watched } from './watched.ts'

const EMPTY_LINE = 'data:\n'

/** Empty data lines are not free: they fill an event as other lines do. */
export const emptyLines: Fault = {
  name: 'empty data lines',
  promise: 'an event of millions of empty lines costs little, and harms no other event',
  sizes: { full: { count: 1, megabytes: 10 }, small: { count: 1, megabytes: 2 } },
  run: (size, _seed) =>
    withServer((server) =>
      watched(server, `${size.megabytes} MB`, async () => {
        const lines = EMPTY_LINE.repeat((size.megabytes * 1024 * 1024) / EMPTY_LINE.length)
        const chunk = { id: 'c', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'after' } }] }
        const runId = await ingest(server, 'openai-chat', `${lines}\ndata: ${JSON.stringify(chunk)}\n\n`)
        const stream = (await ask(server, `/api/runs/${runId}/stream`)).text
        return stream.includes('"after"') ? [] : ['the event after the lines is not in the log']
      }),
    ),
}
