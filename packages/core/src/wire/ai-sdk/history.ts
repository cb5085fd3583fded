import { present } from '../../data/present.ts'
import type { JsonObject } from '../../json.ts'
import { createPeople, type PersonMessage } from '../people.ts'
import type { HistoryReader } from '../wire.ts'
import { createUiMessage, type UiMessage } from './ui-message.ts'

/**
 * The messages of a chat. A run is one message, or continues that of the run before it. What people send while a run is under
 * way stands before its answer, because the answer is the message that a client streams and puts last.
 */
export function createAiSdkHistory(): HistoryReader {
  const people = createPeople()
  const items: (PersonMessage | UiMessage)[] = []
  let answer: { readonly id: string; readonly message: UiMessage } | undefined
  let answerId = ''

  function addPerson(message: PersonMessage): void {
    const isAnswered = answer?.id === answerId && items.at(-1) === answer.message
    items.splice(isAnswered ? items.length - 1 : items.length, 0, message)
  }

  function answerOf(): UiMessage {
    if (answer?.id === answerId) return answer.message
    const message = createUiMessage(answerId)
    items.push(message)
    answer = { id: answerId, message }
    return message
  }

  return {
    begin({ runId, messageId = runId }) {
      people.begin(runId)
      answerId = messageId
    },
    push(entry, chunks) {
      const person = people.push(entry)
      if (person !== undefined) addPerson(person)
      for (const chunk of chunks) answerOf().push(chunk)
    },
    messages: () => items.map((item) => ('value' in item ? item.value() : personValue(item))),
  }
}

/** The client, too, puts files before the text. */
function personValue({ id, role, texts, files }: PersonMessage): JsonObject {
  const fileParts = files.map(({ mediaType, filename, bytes, url }) =>
    present({
      type: 'file',
      mediaType,
      filename,
      url: bytes === undefined ? (url ?? '') : `data:${mediaType};base64,${bytes}`,
    }),
  )
  return { id, role, parts: [...fileParts, ...texts.map(({ text }) => ({ type: 'text', text }))] }
}
