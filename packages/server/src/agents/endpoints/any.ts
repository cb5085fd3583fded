import { isJsonObject, isText } from '@millrace/core/json'
import { toTexts } from '@millrace/core/messages'
import type { Conversation, Endpoint, HttpTurn } from './endpoint.ts'

/** Any service that takes `{input, history, session}` and streams a format of the registry. */
export const any: Endpoint = {
  format: undefined,
  can: { session: 'resume', files: ['*/*'], clientTools: true, recover: true },
  canRejoin: false,
  open,
}

function open({ request, spec, session, prompt, files, keepSession }: HttpTurn): Conversation {
  const { threadId, runId, history, clientTools, input } = request
  let current = session

  const post = (more: object) => ({
    method: 'POST' as const,
    url: spec.target.url,
    body: {
      ...more,
      history: toTexts(history),
      thread: threadId,
      run: runId,
      ...(current !== undefined && { session: current }),
      ...(clientTools.length > 0 && { tools: clientTools }),
    },
  })
  const sent = files.map(({ mediaType, filename, base64 }) => ({
    mediaType,
    ...(filename !== undefined && { filename }),
    data: base64,
  }))
  const { toolOutputs } = input
  return {
    first: () => post({ input: { text: prompt, files: sent, ...(toolOutputs !== undefined && { toolOutputs }) } }),
    take({ value }) {
      if (!isJsonObject(value) || value.type !== 'session') return true
      const { id } = isJsonObject(value.data) ? value.data : value
      if (!isText(id)) return true
      current = id
      keepSession(id)
      return true
    },
    resume(answers, own) {
      current ??= own.session
      return post({ answers: answers.map(({ approvalId: id, answer }) => ({ id, ...answer })) })
    },
  }
}
