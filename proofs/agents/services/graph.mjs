import { FakeListChatModel } from '@langchain/core/utils/testing'
import { END, interrupt, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph'
import { errandOf } from './errand.mjs'

/** A model that writes this text, a letter at a time. */
const says = (text) => new FakeListChatModel({ responses: [text], sleep: 5 }).invoke([])

async function answer({ messages }, { signal }) {
  const asked = messages.filter((message) => message.getType() === 'human')
  const { content } = asked.at(-1)
  const text = typeof content === 'string' ? content : content.map((block) => block.text ?? '').join('')
  if (text.startsWith('ask')) {
    const given = interrupt({ question: 'May I write the log?' })
    return { messages: [await says(`It was ${given === true ? 'approved' : 'denied'}.`)] }
  }
  if (text.startsWith('wait')) {
    for (let tries = 0; tries < 1000 && !signal?.aborted; tries++) await says('Waiting. ')
    return { messages: [] }
  }
  const { error, deltas } = errandOf(text, asked.length)
  if (error !== undefined) throw new Error(error)
  return { messages: [await says(deltas.join(''))] }
}

export const graph = new StateGraph(MessagesAnnotation)
  .addNode('answer', answer)
  .addEdge(START, 'answer')
  .addEdge('answer', END)
  .compile()
