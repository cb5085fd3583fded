import { useChat } from '@ai-sdk/react'
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { createElement } from 'react'
import { createRoot } from 'react-dom/client'

declare const location: { readonly pathname: string }
declare const document: { readonly body: Parameters<typeof createRoot>[0] }

/** The chat that the address names, as any user of `useChat` would write it, with the default transport. */
function Chat() {
  const { messages, status, error, sendMessage, addToolApprovalResponse } = useChat({
    id: location.pathname.slice(1),
    resume: true,
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
    approvalId !== undefined && button('Approve', () => addToolApprovalResponse({ id: approvalId, approved: true })),
  )
}

createRoot(document.body).render(createElement(Chat))
