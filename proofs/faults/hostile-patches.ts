import { ask, ingest } from './asking.ts'
import type { Fault } from './fault.ts'
import { type ServerProcess, withServer } from './server-process.ts'
import { watched } from './watched.ts'

/** Each patch doubles the state twice. */
function bomb(patches: number): string {
  const ids = { threadId: 't', runId: 'r' }
  const doubled = (index: number) => ['a', 'b'].map((key) => ({ op: 'copy', from: '', path: `/${key}${index}` }))
  return [
    { type: 'RUN_STARTED', ...ids },
    { type: 'STATE_SNAPSHOT', snapshot: { seed: 'x' } },
    ...Array.from({ length: patches }, (_, index) => ({ type: 'STATE_DELTA', delta: doubled(index) })),
    { type: 'RUN_FINISHED', ...ids },
  ]
    .map((record) => `${JSON.stringify(record)}\n`)
    .join('')
}

const PATCHES = 40

/** A few kilobytes that would become a state larger than any memory. */
export const hostilePatches: Fault = {
  name: 'hostile patches',
  promise: 'a state stays within its limit; patches beyond it are kept as raw, and the run is read and verified',
  sizes: { full: { count: 20, megabytes: 1 }, small: { count: 2, megabytes: 1 } },
  run: (size, _seed) =>
    withServer((server) =>
      watched(server, `${size.count} runs of ${PATCHES} patches`, async () => {
        const problems: string[] = []
        for (let count = 0; count < size.count; count++) problems.push(...(await exploded(server)))
        return problems
      }),
    ),
}

async function exploded(server: ServerProcess): Promise<readonly string[]> {
  const runId = await ingest(server, 'ag-ui', bomb(PATCHES))
  const { threadId } = JSON.parse((await ask(server, `/api/runs/${runId}`)).text) as { threadId: string }
  const paths = [`/api/runs/${runId}/verify`, `/api/threads/${threadId}`, `/api/runs/${runId}/stream?wire=ag-ui`]
  const answers = await Promise.all(paths.map((path) => ask(server, path)))
  const refused = answers.filter(({ status }) => status !== 200)
  const [verdict, , stream] = answers
  const { ok, problems } = JSON.parse(verdict?.text ?? '{}') as { ok?: boolean; problems?: unknown }
  return [
    ...refused.map(({ status, text }) => `answered ${status}: ${text.slice(0, 200)}`),
    ...(ok === true ? [] : [`verify says ${JSON.stringify(problems)}`]),
    ...(stream?.text.includes('"RAW"') ? [] : ['no patch was kept as raw']),
  ]
}
