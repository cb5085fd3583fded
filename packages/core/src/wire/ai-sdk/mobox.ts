import type { StreamEvent } from '../../events.ts'
import { createSpawns, createTodoLines, subagentEndLine, subagentStartLine } from '../../meaning/activity-lines.ts'
import type { Rows } from '../rows.ts'
import { runRows } from './finish.ts'
import { createMessages } from './messages.ts'
import { moboxBlocks } from './mobox-blocks.ts'
import { moboxTools } from './mobox-tools.ts'
import { createMoboxUsage } from './mobox-usage.ts'
import { partRows } from './parts.ts'
import type { Profile } from './profile.ts'
import type { Response } from './response.ts'
import { toolRows } from './tools.ts'

/**
 * The profile in which statuses, todo lists and subagents are lines of reasoning blocks: `processing` for the work of the
 * orchestrator, `thinking` for thoughts. It has no steps, and no data parts for what it writes as lines.
 */
export function moboxProfile(response: Response): Profile {
  const messages = createMessages(response)
  const blocks = moboxBlocks(response, messages)
  const usage = createMoboxUsage(response)
  const tools = moboxTools(toolRows(response, messages))
  const todoLines = createTodoLines()
  const spawns = createSpawns()
  const agentNames = new Map<string, string>()
  const ending = { closeLoose: blocks.close, finishMetadata: usage.finishMetadata, stepReason: usage.stepReason }
  const run = runRows(response, ending)
  const parts = partRows(response, messages)

  const rows: Rows = {
    ...messages.rows,
    ...blocks.rows,
    ...usage.rows,
    ...tools.rows,
    'tool-start'(event) {
      spawns.note(event)
      tools.rows['tool-start'](event)
    },
    ...parts,
    source: (event) => parts.source(blocks.withTextId(event)),
    'run-start': run['run-start'],
    'run-end'(event) {
      usage.flush()
      run['run-end'](event)
    },
    metadata(event) {
      usage.learnSession(event)
      parts.metadata(event)
    },
    status: ({ message }) => blocks.line('processing', message),
    todos(event) {
      for (const line of todoLines(event)) blocks.line('processing', line)
    },
    'subagent-start'(event) {
      agentNames.set(event.agentId, event.name)
      const isSpawned = spawns.isSpawn(event)
      blocks.line(isSpawned ? 'processing' : 'thinking', subagentStartLine(event, isSpawned))
    },
    'subagent-end'({ agentId, status, summary }) {
      const name = agentNames.get(agentId) ?? agentId
      agentNames.delete(agentId)
      blocks.line('thinking', subagentEndLine(name, status, summary))
    },
  }
  const before = (event: StreamEvent) => {
    tools.before(event)
    usage.before(event)
  }
  return { ...ending, rows: afterEach(rows, before) }
}

/** The same rows, each of which calls `before` first. */
function afterEach(rows: Rows, before: (event: StreamEvent) => void): Rows {
  const table = Object.entries(rows) as [string, (event: StreamEvent) => void][]
  const preceded = table.map(([type, row]) => [
    type,
    (event: StreamEvent) => {
      before(event)
      row(event)
    },
  ])
  return Object.fromEntries(preceded) as Rows
}
