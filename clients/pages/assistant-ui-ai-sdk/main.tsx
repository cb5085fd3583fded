import { useChat } from '@ai-sdk/react'
import { useAISDKRuntime } from '@assistant-ui/react-ai-sdk'
import { createRoot } from 'react-dom/client'
import { chatOptions, loadChat } from '../ai-sdk-chat.ts'
import { Thread } from '../assistant-ui.tsx'

const { messages, resume } = await loadChat()
const options = chatOptions(messages)

function Page() {
  return <Thread runtime={useAISDKRuntime(useChat({ ...options, resume }))} />
}

createRoot(document.getElementById('root') as HTMLElement).render(<Page />)
