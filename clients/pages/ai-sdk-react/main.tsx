import { useChat } from '@ai-sdk/react'
import { createRoot } from 'react-dom/client'
import { chatOptions, loadChat, offerChat, piecesOf, runTools } from '../ai-sdk-chat.ts'

const { messages: loaded, resume } = await loadChat()

/** What the hook has returned last. */
let chat: ReturnType<typeof useChat>
const options = { ...chatOptions(loaded), ...runTools(() => chat) }

function Chat() {
  chat = useChat({ ...options, resume })
  return <pre>{JSON.stringify(piecesOf(chat.messages), null, 1)}</pre>
}

createRoot(document.getElementById('root') as HTMLElement).render(<Chat />)
offerChat(() => chat)
