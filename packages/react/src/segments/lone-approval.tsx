import type { ApprovalSegment } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { DisclosureCard } from '../disclosure-card.tsx'
import { Icon } from '../icon.tsx'
import { Output } from '../output/output.tsx'
import { isObject } from '../tools/argument.ts'
import { answerText } from '../tools/fact.ts'
import { useDisclosure } from '../use-disclosure.ts'
import { useViewContext } from '../view-context.ts'
import { ApprovalRequest } from './approval.tsx'

/** A question that belongs to no tool call. */
export function LoneApproval({ segment }: { readonly segment: ApprovalSegment }) {
  const { state, message, request, startedAt, seqs, answer } = segment
  const { isOver, labels } = useViewContext()
  const disclosure = useDisclosure(seqs[0], false)
  if (state === 'requested' && !isOver) {
    const choices = choicesOf(request)
    return (
      <ApprovalRequest approval={segment} title={labels.answerNeeded} since={startedAt} choices={choices}>
        {request !== undefined && choices.length === 0 && (
          <div className="mr-well">
            <Output text={asText(request)} label={labels.whatIsAsked} />
          </div>
        )}
      </ApprovalRequest>
    )
  }
  const contents = [request, answer].filter((content) => content !== undefined)
  return (
    <DisclosureCard
      className="mr-tool"
      disclosure={disclosure}
      icon={<Icon name={state === 'approved' || state === 'answered' ? 'check' : 'cross'} className="mr-glyph" />}
      label={
        <>
          <span className="mr-label mr-strong">{labels.question}</span>
          <span className="mr-quiet mr-cut">{message}</span>
        </>
      }
      end={
        <span className={`mr-badge${state === 'approved' ? ' mr-ok' : ''}`}>
          {answerText(segment, labels) ?? labels.notAnswered}
        </span>
      }
    >
      {contents.length > 0 && (
        <div className="mr-well">
          <Output text={contents.map(asText).join('\n\n')} label={labels.questionAndAnswer} />
        </div>
      )}
    </DisclosureCard>
  )
}

/** `{ options: ['staging', 'canary'] }` and nothing else. */
function choicesOf(request: Json | undefined): readonly string[] {
  if (!isObject(request) || Object.keys(request).length !== 1 || !Array.isArray(request.options)) return []
  const { options } = request
  return options.every((option): option is string => typeof option === 'string') ? options : []
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
