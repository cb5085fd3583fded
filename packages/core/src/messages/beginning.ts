import type { Losses } from './losses.ts'
import type { PlainMessage } from './plain.ts'

/** The text in place of a beginning that the history does not have. */
const MISSING = '[The beginning of the conversation is missing.]'

/** Providers refuse a conversation that the assistant begins. */
export function withBeginning(messages: readonly PlainMessage[], losses: Losses): readonly PlainMessage[] {
  const start = messages.findIndex(({ role }) => role !== 'system')
  const first = messages[start]
  if (first?.role !== 'assistant') return messages
  losses.add('beginning', first.chatEvent.id)
  const beginning: PlainMessage = { role: 'user', id: 'beginning', parts: [{ kind: 'text', text: MISSING }] }
  return [...messages.slice(0, start), beginning, ...messages.slice(start)]
}
