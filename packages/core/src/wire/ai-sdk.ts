import { StreamError } from '../errors.ts'
import type { Losses } from '../losses.ts'
import { defaultProfile } from './ai-sdk/default.ts'
import { createAiSdkHistory } from './ai-sdk/history.ts'
import { moboxProfile } from './ai-sdk/mobox.ts'
import type { CreateProfile } from './ai-sdk/profile.ts'
import { profile5 } from './ai-sdk/profile-5.ts'
import { profile6 } from './ai-sdk/profile-6.ts'
import { createResponse } from './ai-sdk/response.ts'
import { createDispatch } from './rows.ts'
import type { Wire } from './wire.ts'

/** The rows of each profile. */
const profiles: { readonly [profile: string]: CreateProfile } = {
  default: defaultProfile,
  mobox: moboxProfile,
  5: profile5,
  6: profile6,
}

const losses: Losses = {
  messages: 'One response is one message; the messages of a run become its parts.',
  'other-roles': 'A response contains only content of the assistant; the client already has the other messages.',
  retract: 'A part that was sent stays; a data part names the messages that are void.',
  rewrite: 'Text can only be appended to.',
  'tool-progress': 'It is sent as a preliminary output, which the final output replaces.',
  control: 'Requests travel the other way.',
  times: 'Parts carry no times.',
  raw: 'Clients refuse chunks of unknown types.',
}

/** The UI message stream of the AI SDK, version 7, and of earlier versions as profiles. One run is one assistant message. */
export const aiSdk: Wire = {
  losses,
  profiles: ['mobox', '5', '6'],
  profileLosses: {
    mobox: {
      ...losses,
      todos: 'A line has the number of items and names those that were completed.',
      signature: 'A thought is one block of several thoughts, and has no signature.',
      encrypted: 'A thought is one block of several thoughts, and has no encrypted part.',
      steps: 'The dialect has no steps.',
      'tool-calls': 'A call that writes a todo list or starts a subagent is a line.',
      'tool-output': 'A call that writes a todo list or starts a subagent is a line.',
    },
  },
  headers: { 'x-vercel-ai-ui-message-stream': 'v1' },
  terminator: '[DONE]',
  spansRuns: true,
  isPause: ({ type }, { event }) => type === 'finish' && event.type !== 'run-end',
  create({ runId, messageId, profile = 'default' }) {
    const createProfile = Object.hasOwn(profiles, profile) ? profiles[profile] : undefined
    if (createProfile === undefined) throw new StreamError('unknown-wire', `ai-sdk, profile ${profile}`)
    const response = createResponse(runId, messageId ?? runId)
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
