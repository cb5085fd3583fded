import type { EventOf, StreamEvent } from '../../events.ts'
import type { Json } from '../../json.ts'
import { runRows } from './finish.ts'
import { createMessages } from './messages.ts'
import { moboxBlocks } from './mobox-blocks.ts'
import { createMoboxUsage } from './mobox-usage.ts'
import { partRows } from './parts.ts'
import type { Response } from './response.ts'
import type { Dialect, Rows } from './rows.ts'
import { createTodoLists, type TodoLists } from './todo-lists.ts'
import { toolRows } from './tools.ts'

/**
 * The dialect in which statuses, todo lists and subagents are lines of reasoning blocks: `processing` for what the
 * orchestrator does, `thinking` for what is thought. It has no steps and none of the data parts that replace the lines.
 */
export function moboxDialect(response: Response): Dialect {
  const messages = createMessages(response)
  const blocks = moboxBlocks(response, messages)
  const usage = createMoboxUsage(response)
  const lists = createTodoLists()
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
      for (const line of todoLines(event, lists)) blocks.line('processing', line)
    },
    'subagent-start'(event) {
      const { agentId, name, task } = event
      names.set(agentId, name)
      const about = task === undefined ? name : `${name}: ${task}`
      if (operationOf(event, 'subagentOp') === 'spawn') blocks.line('processing', `Spawned ${about}`)
      else blocks.line('thinking', `Started ${about}`)
    },
    'subagent-end'({ agentId, status, summary }) {
      const name = names.get(agentId) ?? agentId
      names.delete(agentId)
      const end = status === 'done' ? 'Completed' : `Ended (${status})`
      blocks.line('thinking', summary === undefined ? `${end} ${name}` : `${end} ${name}: ${summary}`)
    },
  }
  return { ...ending, rows }
}

/** What the framework itself called the change, where the parser says so. */
function operationOf(event: StreamEvent, key: string): Json | undefined {
  return event.meta?.millrace?.[key]
}

function todoLines(event: EventOf<'todos'>, lists: TodoLists): readonly string[] {
  const isFirst = !lists.has(event.listId)
  const count = `${lists.push(event).length} tasks`
  const done = event.items.filter((item) => item.status === 'completed')
  const operation = operationOf(event, 'todoOp')
  const isDone = operation === 'done' || (operation === undefined && event.op === 'update' && done.length > 0)
  if (isDone) return done.map((item) => `Completed: ${item.content}`)
  const isCreated = operation === 'create' || (operation === undefined && isFirst)
  return [isCreated ? `Planning: ${count}` : `Updated: ${count}`]
}
