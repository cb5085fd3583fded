// A server of AG-UI 1.0 on its encoder (`@ag-ui/encoder`), which asks by an interrupt: `node ag-ui.mjs` prints its address.

import { EventEncoder } from '@ag-ui/encoder'
import express from 'express'
import { errandOf, pause } from './errand.mjs'

const app = express().use(express.json({ limit: '64mb' }))

app.post('/run', async (request, response) => {
  const { threadId, runId, messages, resume } = request.body
  const encoder = new EventEncoder({ accept: request.headers.accept })
  response.setHeader('content-type', encoder.getContentType())
  const send = (type, fields) => response.write(encoder.encode({ type, ...fields }))
  send('RUN_STARTED', { threadId, runId })
  send('MESSAGES_SNAPSHOT', { messages })
  const end = (outcome) => {
    send('RUN_FINISHED', { threadId, runId, outcome })
    response.end()
  }
  async function say(deltas) {
    const messageId = `${runId}-answer`
    send('TEXT_MESSAGE_START', { messageId, role: 'assistant' })
    for (const delta of deltas) {
      if (response.destroyed) return
      send('TEXT_MESSAGE_CONTENT', { messageId, delta })
      await pause()
    }
    send('TEXT_MESSAGE_END', { messageId })
    end({ type: 'success' })
  }
  const asked = messages.filter(({ role }) => role === 'user')
  const text = asked.at(-1)?.content ?? ''
  if (resume?.length > 0) return say([`It was ${resume[0].payload?.approved === true ? 'approved' : 'denied'}.`])
  if (text.startsWith('ask')) {
    const toolCallId = `${runId}-call`
    send('TOOL_CALL_START', { toolCallId, toolCallName: 'write_log' })
    send('TOOL_CALL_ARGS', { toolCallId, delta: '{"line":"Noon"}' })
    send('TOOL_CALL_END', { toolCallId })
    const interrupt = { id: `${runId}-int`, reason: 'tool_call', message: 'May I write the log?', toolCallId }
    return end({ type: 'interrupt', interrupts: [interrupt] })
  }
  const errand = errandOf(text, asked.length)
  if (errand.error === undefined) return say(errand.deltas)
  send('RUN_ERROR', { message: errand.error, code: 'GAUGE' })
  response.end()
})

const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/run`))
