// An agent of AG-UI behind the runtime of CopilotKit (`@copilotkitnext/runtime`): `node copilotkit.mjs` prints its address.

import { AbstractAgent, EventType } from '@ag-ui/client'
import { CopilotRuntime, InMemoryAgentRunner } from '@copilotkitnext/runtime'
import { createCopilotEndpointExpress } from '@copilotkitnext/runtime/express'
import express from 'express'
import { Observable } from 'rxjs'
import { errandOf, pause } from './errand.mjs'

class Harbour extends AbstractAgent {
  clone() {
    return new Harbour()
  }

  run({ threadId, runId, messages }) {
    return new Observable((subscriber) => {
      let isGone = false
      const send = (type, fields) => subscriber.next({ type, ...fields })
      const play = async () => {
        send(EventType.RUN_STARTED, { threadId, runId })
        const asked = messages.filter(({ role }) => role === 'user')
        const messageId = `${runId}-answer`
        const errand = errandOf(asked.at(-1)?.content ?? '', asked.length)
        if (errand.error !== undefined) return send(EventType.RUN_ERROR, { message: errand.error, code: 'GAUGE' })
        send(EventType.TOOL_CALL_START, { toolCallId: `${runId}-call`, toolCallName: 'read_tables' })
        send(EventType.TOOL_CALL_ARGS, { toolCallId: `${runId}-call`, delta: '{"harbour":"Millport"}' })
        send(EventType.TOOL_CALL_END, { toolCallId: `${runId}-call` })
        send(EventType.TOOL_CALL_RESULT, {
          messageId: `${runId}-result`,
          toolCallId: `${runId}-call`,
          content: 'High at 06:12.',
          role: 'tool',
        })
        send(EventType.TEXT_MESSAGE_START, { messageId, role: 'assistant' })
        for (const delta of errand.deltas) {
          if (isGone) return
          send(EventType.TEXT_MESSAGE_CONTENT, { messageId, delta })
          await pause()
        }
        send(EventType.TEXT_MESSAGE_END, { messageId })
        send(EventType.RUN_FINISHED, { threadId, runId })
      }
      play().then(
        () => subscriber.complete(),
        (error) => subscriber.error(error),
      )
      return () => {
        isGone = true
      }
    })
  }
}

const runtime = new CopilotRuntime({ agents: { harbour: new Harbour() }, runner: new InMemoryAgentRunner() })
const app = express()
app.use(createCopilotEndpointExpress({ runtime, basePath: '/copilot' }))
const server = app.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${server.address().port}/copilot/agent/harbour/run`),
)
