import { useChat } from '@ai-sdk/react'
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses, type UIMessage } from 'ai'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

declare const location: { readonly pathname: string }
declare const document: { readonly body: Parameters<typeof createRoot>[0] }

interface Loaded {
  readonly messages: UIMessage[]
  readonly resume: boolean
}

const id = location.pathname.slice(1)
const transport = new DefaultChatTransport<UIMessage>({
  api: '/api/chat',
  prepareReconnectToStreamRequest: (asked) => ({ api: `/api/chat/${asked.id}/stream?replay=last` }),
})

/** The chat that the address names, as the documentation of the wire says: it is loaded, and what is live is streamed. */
function Chat({ messages: loaded, resume }: Loaded) {
  const {
    messages,
    status,
    error,
    sendMessage,
    addToolApprovalResponse,
    resumeStream,
    stop: leave,
  } = useChat({
    id,
    messages: loaded,
    resume,
    transport,
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  const last = messages.at(-1)
  const open = last?.parts.find((part) => part.type === 'dynamic-tool' && part.state === 'approval-requested')
  const approvalId = open?.type === 'dynamic-tool' ? open.approval?.id : undefined
  const stop = () =>
    fetch(`/api/runs/${last?.id}/stop`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ by: 'a second tab' }),
    })
  const button = (label: string, onClick: () => unknown) =>
    createElement('button', { key: label, type: 'button', onClick }, label)
  return createElement(
    'main',
    undefined,
    createElement('output', { id: 'status' }, error === undefined ? status : `error: ${error.message}`),
    createElement('pre', { id: 'messages' }, JSON.stringify(messages)),
    button('Send', () => sendMessage({ text: 'Repair the wheel' })),
    button('Stop', stop),
    button('Leave', leave),
    button('Resume', () => resumeStream()),
    approvalId !== undefined && button('Approve', () => addToolApprovalResponse({ id: approvalId, approved: true })),
  )
}

const response = await fetch(`/api/chat/${id}`)
createRoot(document.body).render(createElement(Chat, (await response.json()) as Loaded))
