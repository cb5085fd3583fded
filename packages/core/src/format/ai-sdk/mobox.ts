import { createTodoLines, isSpawn, subagentEndLine, subagentStartLine } from '../../activity-lines.ts'
import { runRows } from './finish.ts'
import { createMessages } from './messages.ts'
import { moboxBlocks } from './mobox-blocks.ts'
import { createMoboxUsage } from './mobox-usage.ts'
import { partRows } from './parts.ts'
import type { Response } from './response.ts'
import type { Dialect, Rows } from './rows.ts'
import { toolRows } from './tools.ts'

/**
 * The dialect in which statuses, todo lists and subagents are lines of reasoning blocks: `processing` for what the
 * orchestrator does, `thinking` for what is thought. It has no steps and none of the data parts that replace the lines.
 */
export function moboxDialect(response: Response): Dialect {
  const messages = createMessages(response)
  const blocks = moboxBlocks(response, messages)
  const usage = createMoboxUsage(response)
  const todoLines = createTodoLines()
  const names = new Map<string, string>()
  const ending = { closeLoose: blocks.close, finishMetadata: usage.finishMetadata, stepReason: usage.stepReason }
  const run = runRows(response, ending)
  const parts = partRows(response, messages)

  const rows: Rows = {
    ...messages.rows,
    ...blocks.rows,
    ...usage.rows,
    ...toolRows(response),
    ...parts,
    'run-start': run['run-start'],
    'run-end'(event) {
      usage.flush()
      run['run-end'](event)
    },
    metadata(event) {
      parts.metadata(event)
      usage.learnSession(event)
    },
    status: ({ message }) => blocks.line('processing', message),
    todos(event) {
      for (const line of todoLines(event)) blocks.line('processing', line)
    },
    'subagent-start'(event) {
      names.set(event.agentId, event.name)
      blocks.line(isSpawn(event) ? 'processing' : 'thinking', subagentStartLine(event))
    },
    'subagent-end'({ agentId, status, summary }) {
      const name = names.get(agentId) ?? agentId
      names.delete(agentId)
      blocks.line('thinking', subagentEndLine(name, status, summary))
    },
  }
  return { ...ending, rows }
}
