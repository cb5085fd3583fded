import { present } from '../../data/present.ts'
import { remember } from '../../data/remember.ts'
import type { StreamEvent } from '../../events.ts'
import { isText, type JsonObject } from '../../json.ts'
import { objectsIn, textIn } from '../kit/fields.ts'
import type { EventScope } from '../parser.ts'

/** The requests of the server that wait for a person. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'item/commandExecution/requestApproval',
  'item/fileChange/requestApproval',
  'item/permissions/requestApproval',
  'item/tool/requestUserInput',
  'mcpServer/elicitation/request',
])

/** By the id of the request, the questions without an answer. */
export function createQuestions() {
  const open = new Map<string, { readonly approvalId: string; readonly callId: string | undefined }>()
  return {
    /** Undefined if the request is no question. */
    ask(method: string, id: string, params: JsonObject, scope: EventScope): readonly StreamEvent[] | undefined {
      if (!QUESTIONS.has(method)) return undefined
      const { threadId: _thread, turnId: _turn, itemId, ...request } = params
      const approvalId = `${method}#${id}`
      const callId = textIn(itemId)
      remember(open, id, { approvalId, callId })
      const [question] = objectsIn(params.questions)
      const message = textIn(params.reason) ?? textIn(params.message) ?? textIn(question?.question)
      return [{ ...scope, type: 'approval', approvalId, state: 'requested', request, ...present({ callId, message }) }]
    },
    /** The answer of a client, if its log has it; undefined if no question has the id. */
    answer(id: string, result: JsonObject): readonly StreamEvent[] | undefined {
      const question = open.get(id)
      const { decision, action, answers, permissions } = result
      if (question === undefined || [decision, action, answers, permissions].every((field) => field === undefined))
        return undefined
      open.delete(id)
      const isDenied = /^(?:decline|cancel|denied|abort)$/.test(
        isText(decision) ? decision : isText(action) ? action : '',
      )
      const state = isDenied ? 'denied' : answers === undefined ? 'approved' : 'answered'
      return [
        {
          type: 'approval',
          approvalId: question.approvalId,
          state,
          answer: result,
          ...present({ callId: question.callId }),
        },
      ]
    },
    resolve: (id: string) => void open.delete(id),
  }
}
