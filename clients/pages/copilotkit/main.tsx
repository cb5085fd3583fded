import {
  CopilotChat,
  CopilotChatConfigurationProvider,
  CopilotKit,
  useAgent,
  useCopilotKit,
  useDefaultRenderTool,
  useFrontendTool,
  useInterrupt,
} from '@copilotkit/react-core/v2'
import '@copilotkit/react-core/v2/styles.css'
import { createRoot } from 'react-dom/client'
import { z } from 'zod'
import { CLIENT_TOOL, SEEN } from '../../contract.ts'
import { agent as agentId, offer, threadId } from '../address.ts'
import { piecesOf } from '../ag-ui-pieces.ts'

let outputs = 0
let error: string | undefined

interface Question {
  readonly id: string
}

/** The open questions, and how CopilotKit is given an answer to each. */
let questions: readonly Question[] = []
let resolve: (payload: unknown, id?: string) => unknown = () => undefined

function Page() {
  const { copilotkit } = useCopilotKit()
  const { agent, isReady } = useAgent({ agentId })
  useDefaultRenderTool()
  useFrontendTool({
    name: CLIENT_TOOL,
    description: 'Looks at something.',
    parameters: z.object({ at: z.string() }),
    async handler() {
      outputs++
      return SEEN
    },
  })
  useInterrupt({
    agentId,
    render({ interrupts, resolve: respond }) {
      questions = interrupts ?? []
      resolve = respond
      return (
        <section>
          {interrupts?.map(({ id, message }) => (
            <p key={id}>
              {message}
              <button type="button" onClick={() => respond({ approved: true }, id)}>
                Allow
              </button>
              <button type="button" onClick={() => respond({ approved: false }, id)}>
                Deny
              </button>
            </p>
          ))}
        </section>
      )
    },
  })
  if (isReady)
    offer({
      send(text) {
        error = undefined
        agent.addMessage({ id: crypto.randomUUID(), role: 'user', content: text })
        void copilotkit.runAgent({ agent })
      },
      stop: () => void copilotkit.stopAgent({ agent }),
      regenerate() {
        const last = agent.messages.findLastIndex(({ role }) => role === 'user')
        agent.setMessages(agent.messages.slice(0, last + 1))
        void copilotkit.runAgent({ agent })
      },
      answer(answers) {
        const answered = resolve
        for (const [id, approved] of Object.entries(answers)) answered({ approved }, id)
        questions = []
      },
      held: () => ({
        isBusy: agent.isRunning,
        ...(error !== undefined && { error }),
        pieces: piecesOf(agent.messages as never),
        questions: questions.map(({ id }) => id),
        outputs,
      }),
    })
  return (
    <CopilotChat
      onError={(event) => {
        if ('error' in event) error = event.error.message
      }}
    />
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <CopilotKit runtimeUrl="/runtime">
    <CopilotChatConfigurationProvider agentId={agentId} threadId={threadId}>
      <Page />
    </CopilotChatConfigurationProvider>
  </CopilotKit>,
)
