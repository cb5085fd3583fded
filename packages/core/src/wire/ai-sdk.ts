import { StreamError } from '../errors.ts'
import { defaultDialect } from './ai-sdk/default.ts'
import type { CreateDialect } from './ai-sdk/dialect.ts'
import { moboxDialect } from './ai-sdk/mobox.ts'
import { createResponse } from './ai-sdk/response.ts'
import { byRows } from './rows.ts'
import type { Wire } from './wire.ts'

/** A table per profile: what each event is on this wire. */
const dialects: { readonly [profile: string]: CreateDialect } = {
  default: defaultDialect,
  mobox: moboxDialect,
}

/** The UI message stream of the AI SDK, version 7. One run is one assistant message. */
export const aiSdk: Wire = {
  losses: {
    messages: 'One response is one message: the messages of a run become its parts.',
    'other-roles': 'A response holds what the assistant says; the client has the other messages already.',
    retract: 'A part that was sent stays; which messages are void is told in a data part.',
    rewrite: 'Text can only be appended to.',
    'tool-progress': 'Shown as a preliminary output, which the output replaces.',
    control: 'Requests travel the other way.',
    times: 'Parts carry no times.',
    raw: 'Clients refuse chunks that they do not know.',
  },
  profiles: ['mobox'],
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  terminator: '[DONE]',
  isPause: ({ type }, { event }) => type === 'finish' && event.type !== 'run-end',
  create({ runId, messageId, profile = 'default' }) {
    const createDialect = Object.hasOwn(dialects, profile) ? dialects[profile] : undefined
    if (createDialect === undefined) throw new StreamError('unknown-wire', `ai-sdk, profile ${profile}`)
    const response = createResponse(messageId ?? runId, messageId !== undefined)
    const dialect = createDialect(response)
    const tell = byRows(dialect.rows)
    return {
      push({ event }) {
        tell(event)
        response.settle(dialect)
        return response.take()
      },
    }
  },
}
