import { type KeyboardEvent, useState } from 'react'
import type { Labels } from '../labels.ts'
import { type ApprovalAnswer, useViewContext } from '../view-context.ts'

/** One answer per question: the buttons are disabled until the log holds the answer or the host fails to send it. */
export function useAnswer(approvalId: string) {
  const { onAnswer, isOver } = useViewContext()
  const [sentFor, setSentFor] = useState<string>()
  const send = async (chosenAnswer: ApprovalAnswer) => {
    setSentFor(approvalId)
    try {
      await onAnswer?.(approvalId, chosenAnswer)
    } catch {
      // By now the same call may ask another question, whose answer is on its way.
      setSentFor((sent) => (sent === approvalId ? undefined : sent))
    }
  }
  return { send, isSent: sentFor === approvalId, canAnswer: onAnswer !== undefined && !isOver }
}

export type Act = 'approve' | 'deny' | 'say'

/** What a key does on a focused question. */
export function actByKey(event: KeyboardEvent, { approveKey, denyKey, denyAndSayKey }: Labels): Act | undefined {
  const { key, repeat, metaKey, ctrlKey, altKey } = event
  if (repeat || metaKey || ctrlKey || altKey) return undefined
  const pressed = key.toLowerCase()
  const acts: readonly (readonly [string, Act])[] = [
    [denyKey, 'deny'],
    [approveKey, 'approve'],
    [denyAndSayKey, 'say'],
  ]
  return acts.find(([name]) => name.toLowerCase() === pressed)?.[1]
}
