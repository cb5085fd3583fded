// An agent on the SDK of A2A (`@a2a-js/sdk`), with the errand of the others: `node a2a.mjs` prints its address.

import { Role, TaskState } from '@a2a-js/sdk'
import { AgentEvent, DefaultRequestHandler, InMemoryTaskStore } from '@a2a-js/sdk/server'
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express'
import express from 'express'

const app = express()
const server = app.listen(0, '127.0.0.1', () => {
  const url = `http://127.0.0.1:${server.address().port}/a2a`
  const requestHandler = handlerAt(url)
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }))
  app.use(
    '/a2a',
    jsonRpcHandler({
      requestHandler,
      userBuilder: UserBuilder.noAuthentication,
      legacyCompat: { enabled: true },
    }),
  )
  console.log(url)
})

function handlerAt(url) {
  const card = {
    name: 'Harbour',
    description: 'Answers questions about a harbour.',
    version: '1.0.0',
    supportedInterfaces: ['1.0', '0.3'].map((protocolVersion) => ({
      url,
      protocolBinding: 'JSONRPC',
      protocolVersion,
      tenant: '',
    })),
    capabilities: { streaming: true, pushNotifications: false, extensions: [] },
    defaultInputModes: ['text/plain', 'image/png'],
    defaultOutputModes: ['text/plain'],
    skills: [
      {
        id: 'harbour',
        name: 'Harbour',
        description: 'Tides',
        tags: ['tides'],
        examples: [],
        inputModes: [],
        outputModes: [],
        securityRequirements: [],
      },
    ],
    securitySchemes: {},
    securityRequirements: [],
    provider: undefined,
    signatures: [],
  }
  return new DefaultRequestHandler(card, new InMemoryTaskStore(), { execute, cancelTask })
}

const cancelled = new Map()
const counts = new Map()

async function cancelTask(taskId, bus) {
  cancelled.get(taskId)?.()
  void bus
}

/** Deltas of an answer are pieces of one artifact. */
const textOf = (message) =>
  message.parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n')
const text = (value) => ({
  content: { $case: 'text', value },
  metadata: undefined,
  filename: '',
  mediaType: 'text/plain',
})

async function execute({ userMessage, task, taskId, contextId }, bus) {
  const said = textOf(userMessage)
  let messageCount = 0
  const message = (words) => ({
    messageId: `${taskId}-${task?.history.length ?? 0}-${++messageCount}`,
    role: Role.ROLE_AGENT,
    parts: [text(words)],
    taskId,
    contextId,
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  })
  const status = (state, words) =>
    bus.publish(
      AgentEvent.statusUpdate({
        taskId,
        contextId,
        status: {
          state,
          message: words === undefined ? undefined : message(words),
          timestamp: new Date().toISOString(),
        },
        metadata: undefined,
      }),
    )
  const chunk = (words, append, lastChunk) =>
    bus.publish(
      AgentEvent.artifactUpdate({
        taskId,
        contextId,
        append,
        lastChunk,
        metadata: undefined,
        artifact: {
          artifactId: `${taskId}-answer`,
          name: 'answer',
          description: '',
          parts: [text(words)],
          metadata: undefined,
          extensions: [],
        },
      }),
    )
  bus.publish(
    AgentEvent.task(
      task ?? {
        id: taskId,
        contextId,
        status: { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: new Date().toISOString() },
        artifacts: [],
        history: [userMessage],
        metadata: undefined,
      },
    ),
  )
  const turn = (counts.get(contextId) ?? 0) + 1
  counts.set(contextId, turn)
  if (task?.status?.state === TaskState.TASK_STATE_INPUT_REQUIRED) {
    chunk(`It was ${/^(no|deny|denied)\b/i.test(said) ? 'denied' : 'approved'}.`, false, true)
    status(TaskState.TASK_STATE_COMPLETED)
  } else if (said.startsWith('ask')) {
    status(TaskState.TASK_STATE_WORKING, 'Looking at the gauge.')
    status(TaskState.TASK_STATE_INPUT_REQUIRED, 'May I write the log?')
  } else if (said.startsWith('wait')) {
    chunk('Waiting.', false, false)
    await new Promise((resolve) => cancelled.set(taskId, resolve))
    status(TaskState.TASK_STATE_CANCELED)
  } else if (said.startsWith('fail')) {
    status(TaskState.TASK_STATE_FAILED, 'The gauge is broken: code 3.')
  } else {
    status(TaskState.TASK_STATE_WORKING, 'Reading the tables.')
    chunk(`Turn ${turn}: `, false, false)
    chunk(said.slice(0, 3), true, false)
    chunk(said.slice(3), true, true)
    status(TaskState.TASK_STATE_COMPLETED)
  }
  bus.finished()
}
