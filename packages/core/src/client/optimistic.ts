import type { InputFile, RunInput } from '../api/api-types.ts'
import { fileUrl, USER_MESSAGE } from '../api/ids.ts'
import type { ChatEvent, FileSegment, Folded, TextSegment } from '../fold/shapes.ts'

/**
 * What a thread shows of a run before its first entries: the user's message under the id that it will have in the log,
 * and an empty live answer. Each is replaced by the logged message of its role. The framework chooses the id of the
 * answer, so the empty answer has an id of its own.
 */
export function expectedChatEvents(runId: string, input: RunInput, at: number): readonly ChatEvent[] {
  const folded: Folded = { startedAt: at, seqs: [0, 0] }
  const text: TextSegment = { type: 'text', id: USER_MESSAGE.blockId, text: input.text, state: 'done', ...folded }
  const files = (input.files ?? []).map((file) => fileOf(file, folded))
  return [
    {
      id: `${runId}/${USER_MESSAGE.messageId}`,
      runId,
      role: 'user',
      by: 'server',
      state: 'done',
      ...folded,
      segments: [...(input.text === '' ? [] : [text]), ...files],
    },
    { id: `${runId}/expected`, runId, role: 'assistant', state: 'live', ...folded, segments: [] },
  ]
}

/** The logged chat events and those still expected. The user's message is first, as it will be in the log. */
export function withExpected(
  logged: readonly ChatEvent[],
  expected: readonly ChatEvent[],
  hasEnded: boolean,
): readonly ChatEvent[] {
  const missing = expected.filter(({ role }) => !logged.some((chatEvent) => chatEvent.role === role))
  if (hasEnded || missing.length === 0) return logged
  const isUser = ({ role }: ChatEvent) => role === 'user'
  return [...missing.filter(isUser), ...logged, ...missing.filter((chatEvent) => !isUser(chatEvent))]
}

function fileOf({ id, mediaType, filename }: InputFile, folded: Folded): FileSegment {
  const url = fileUrl(id)
  return { type: 'file', fileId: id, mediaType, url, ...(filename !== undefined && { filename }), ...folded }
}
