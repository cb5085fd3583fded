import {
  type AssistantRuntime,
  AssistantRuntimeProvider,
  ExportedMessageRepository,
  type ThreadHistoryAdapter,
} from '@assistant-ui/react'
import {
  fromAgUiMessages,
  type UseAgUiRuntimeOptions,
  useAgUiInterrupts,
  useAgUiRuntime,
  useAgUiSubmitInterruptResponses,
} from '@assistant-ui/react-ag-ui'
import { createRoot } from 'react-dom/client'
import { loadThread, threadAgent } from '../ag-ui-thread.ts'
import { Thread } from '../assistant-ui.tsx'

const { messages, liveRunId } = await loadThread()
// The types of the version that it pins have other names.
const agent = threadAgent(liveRunId) as unknown as UseAgUiRuntimeOptions['agent']

/** The server has every message already: nothing is written from here. */
const history: ThreadHistoryAdapter = {
  load: async () => ({
    ...ExportedMessageRepository.fromArray(fromAgUiMessages(messages)),
    unstable_resume: liveRunId !== undefined,
  }),
  append: async () => {},
}

function Page() {
  const runtime = useAgUiRuntime({ agent, adapters: { history }, onError: () => {} })
  return (
    <AssistantRuntimeProvider runtime={runtime}>
      <Answered runtime={runtime} />
    </AssistantRuntimeProvider>
  )
}

/** Its own buttons answer interrupts of one reason only; these hooks answer all of them. */
function Answered({ runtime }: { readonly runtime: AssistantRuntime }) {
  const interrupts = useAgUiInterrupts()
  const submit = useAgUiSubmitInterruptResponses()
  const questions = {
    open: () => interrupts.map(({ id }) => id),
    answer: (answers: { readonly [question: string]: boolean }) =>
      void submit(
        Object.entries(answers).map(([interruptId, approved]) => ({
          interruptId,
          status: 'resolved' as const,
          payload: { approved },
        })),
      ),
  }
  return <Thread runtime={runtime} questions={questions} />
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />)
