import type { Agent } from '@millrace/server/agent'
import { createHandler, type Handler } from '@millrace/server/handler'
import { type Log, sqlite } from '@millrace/server/log'

const encoder = new TextEncoder()
const line = (type: string, data: object) => encoder.encode(`${JSON.stringify({ type, data })}\n`)

/** Streams lines of JSON, as a process would on its stdout. */
const beekeeper: Agent = {
  name: 'beekeeper',
  title: 'Beekeeper',
  format: 'agent-lines',
  framing: 'json-lines',
  async *run({ input }) {
    yield line('tool_use', { id: 'count', name: 'count_hives', input: { meadow: input.text } })
    yield line('tool_result', { tool_use_id: 'count', content: '7' })
    yield line('text', { content: `Seven hives stand on "${input.text}".` })
    yield line('done', {})
  },
}

export interface Settings {
  readonly log: Log
  readonly dataFolder: string
  /** If undefined, a token is generated and kept in the data folder. */
  readonly token: string | undefined
}

/** Next reloads modules when a file changes, while the process and its log stay. */
const kept = globalThis as { millrace?: Promise<Handler> }

/** The one handler of the process. The first caller decides how it is opened. */
export function millrace(open: () => Promise<Settings> = fromEnvironment): Promise<Handler> {
  kept.millrace ??= open().then((settings) => createHandler({ ...settings, agents: [beekeeper] }))
  return kept.millrace
}

async function fromEnvironment(): Promise<Settings> {
  const log = await sqlite.open({ folder: '.millrace/log' })
  return { log, dataFolder: '.millrace', token: process.env.MILLRACE_TOKEN }
}
