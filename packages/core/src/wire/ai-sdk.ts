import { StreamError } from '../errors.ts'
import { defaultProfile } from './ai-sdk/default.ts'
import { createAiSdkHistory } from './ai-sdk/history.ts'
import { moboxProfile } from './ai-sdk/mobox.ts'
import type { CreateProfile } from './ai-sdk/profile.ts'
import { createResponse } from './ai-sdk/response.ts'
import { createDispatch } from './rows.ts'
import type { Wire } from './wire.ts'

/** The rows of each profile. */
const profiles: { readonly [profile: string]: CreateProfile } = {
  default: defaultProfile,
  mobox: moboxProfile,
}

/** The UI message stream of the AI SDK, version 7. One run is one assistant message. */
export const aiSdk: Wire = {
  losses: {
    messages: 'One response is one message; the messages of a run become its parts.',
    'other-roles': 'A response contains only content of the assistant; the client already has the other messages.',
    retract: 'A part that was sent stays; a data part names the messages that are void.',
    rewrite: 'Text can only be appended to.',
    'tool-progress': 'It is sent as a preliminary output, which the final output replaces.',
    control: 'Requests travel the other way.',
    times: 'Parts carry no times.',
    raw: 'Clients refuse chunks of unknown types.',
  },
  profiles: ['mobox'],
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  terminator: '[DONE]',
  spansRuns: true,
  isPause: ({ type }, { event }) => type === 'finish' && event.type !== 'run-end',
  create({ runId, messageId, profile = 'default' }) {
    const createProfile = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
    if (createProfile === undefined) throw new StreamError('unknown-wire', `ai-sdk, profile ${profile}`)
    const response = createResponse(messageId ?? runId, messageId !== undefined)
    const profileState = createProfile(response)
    const dispatch = createDispatch(profileState.rows)
    return {
      push({ event }) {
        dispatch(event)
        response.settle(profileState)
        return response.take()
      },
    }
  },
  createHistory: createAiSdkHistory,
}
