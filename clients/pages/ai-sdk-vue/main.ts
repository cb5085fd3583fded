import { Chat } from '@ai-sdk/vue'
import { createApp, h } from 'vue'
import { chatOptions, loadChat, type OfferedChat, offerChat, piecesOf, runTools } from '../ai-sdk-chat.ts'

const { messages, resume } = await loadChat()
// It brings a version of `ai` of its own, whose types have other names.
type Init = ConstructorParameters<typeof Chat>[0]
const options = { ...chatOptions(messages), ...runTools(() => shown) }
const chat = new Chat(options as Init)
const shown = chat as unknown as OfferedChat

createApp({ render: () => h('pre', JSON.stringify(piecesOf(shown.messages), null, 1)) }).mount('#root')
offerChat(() => shown)
if (resume) void chat.resumeStream()
