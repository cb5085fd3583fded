import type { ApprovalSegment } from '@millrace/core/fold/shapes'
import type { Json } from '@millrace/core/json'
import { FoldCard } from '../fold-card.tsx'
import { Icon } from '../icon.tsx'
import { Output } from '../output/output.tsx'
import { answerText } from '../tools/answer.ts'
import { isObject } from '../tools/argument.ts'
import { useFold } from '../use-fold.ts'
import { useViewContext } from '../view-context.ts'
import { Asking } from './approval.tsx'

/** A question that belongs to no call. */
export function LoneApproval({ segment }: { readonly segment: ApprovalSegment }) {
  const { state, message, request, startedAt, seqs, answer } = segment
  const { isOver } = useViewContext()
  const fold = useFold(seqs[0], false)
  if (state === 'requested' && !isOver) {
    const choices = choicesOf(request)
    return (
      <Asking approval={segment} title="Your answer is needed" since={startedAt} choices={choices}>
        {request !== undefined && choices.length === 0 && (
          <div className="mr-well">
            <Output text={asText(request)} label="What is asked" />
          </div>
        )}
      </Asking>
    )
  }
  const given = answer ?? request
  return (
    <FoldCard
      look="mr-tool"
      fold={fold}
      icon={<Icon name={state === 'approved' || state === 'answered' ? 'check' : 'cross'} className="mr-glyph" />}
      label={
        <>
          <span className="mr-label mr-strong">Question</span>
          <span className="mr-quiet mr-cut">{message}</span>
        </>
      }
      end={
        <span className={`mr-badge${state === 'approved' ? ' mr-ok' : ''}`}>
          {answerText(segment) ?? 'not answered'}
        </span>
      }
    >
      {given !== undefined && (
        <div className="mr-well">
          <Output text={asText(given)} label="Question and answer" />
        </div>
      )}
    </FoldCard>
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
