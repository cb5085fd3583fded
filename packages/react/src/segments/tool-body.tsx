import { observationsOf, type ToolSegment } from '@millrace/core/fold'
import type { JsonObject } from '@millrace/core/json'
import type { ReactNode } from 'react'
import { Code } from '../markdown/code-block.tsx'
import { Output, Scroller } from '../output/output.tsx'
import { isObject, mainArgument } from '../tools/argument.ts'
import { besidesChanges, type ChangedLine, changesOf } from '../tools/changes.ts'
import { withoutExitCode } from '../tools/fact.ts'
import { kindNameOf } from '../tools/kinds.ts'
import { useViewContext } from '../view-context.ts'

const LIVE_LINES = 12
const HIGHLIGHTED_UP_TO = 200

interface BodyProps {
  readonly segment: ToolSegment
  readonly isGrowing: boolean
}

/** The input, then the output. While the tool runs or if it failed, only the last lines are shown. */
export function ToolBody({ segment, isGrowing }: BodyProps) {
  const { state } = segment
  const { labels } = useViewContext()
  const observations = observationsOf(withoutExitCode(segment))
  const isBrief = isGrowing || state === 'failed'
  const isWriting = isGrowing && state === 'input'
  return (
    <div className="mr-well">
      <ToolInput segment={segment} isWriting={isWriting} isBrief={isBrief && observations.length > 0} />
      <ApprovedInput segment={segment} />
      {observations.map(({ channel, text, isError }, index) => (
        <Output
          // biome-ignore lint/suspicious/noArrayIndexKey: observations are only ever added
          key={index}
          text={text}
          label={labels.toolOutput(segment.name, channel)}
          isError={isError || channel === 'stderr'}
          isGrowing={isGrowing && index === observations.length - 1}
          {...(isBrief && { last: LIVE_LINES })}
        />
      ))}
    </div>
  )
}

/** The input as a person has approved it, if that is not the call's own. */
function ApprovedInput({ segment: { name, approval } }: { readonly segment: ToolSegment }): ReactNode {
  const { labels } = useViewContext()
  const input = approval?.input
  if (input === undefined) return undefined
  return (
    <div className="mr-answer-detail">
      <p className="mr-quiet">{labels.approvedInput}</p>
      <Output text={mainArgument(name, input) ?? JSON.stringify(input, null, 2)} label={labels.approvedInput} />
    </div>
  )
}

interface InputProps {
  readonly segment: ToolSegment
  readonly isWriting: boolean
  /** The output matters more now: an input that the trigger already shows is left out. */
  readonly isBrief: boolean
}

function ToolInput({ segment, isWriting, isBrief }: InputProps): ReactNode {
  const { labels } = useViewContext()
  const { name, input, inputText } = segment
  const label = labels.toolInput(name)
  const kind = kindNameOf(name)
  const changes = changesOf(segment)
  if (changes !== undefined) return <Changes lines={changes} />
  if (kind === 'write' && isObject(input) && typeof input.content === 'string') {
    return <Written text={input.content} path={mainArgument(name, input) ?? ''} isWriting={isWriting} />
  }
  if (isWriting) return <Output text={inputText ?? ''} label={label} isGrowing last={LIVE_LINES} />
  const argument = mainArgument(name, input)
  const isInTrigger = argument !== undefined && (isBrief || isOnlyArgument(input)) && kind !== 'other'
  if (isInTrigger && (kind === 'command' || kind === 'code') && (argument.includes('\n') || argument.length > 60)) {
    return <Output text={argument} label={label} />
  }
  if (isInTrigger || isBrief) return undefined
  const shown = input === undefined ? inputText : JSON.stringify(input, null, 2)
  return shown === undefined ? undefined : <Output text={shown} label={label} />
}

function isOnlyArgument(input: ToolSegment['input']): boolean {
  return isObject(input) && Object.keys(input).filter((key) => key !== 'description').length === 1
}

/** All of what the user approves, wrapped and not shortened. */
export function ToolRequest({ segment }: { readonly segment: ToolSegment }) {
  const { name, input, inputText, approval } = segment
  const changes = changesOf(segment)
  if (kindNameOf(name) === 'write' && isObject(input) && typeof input.content === 'string') {
    const { content, ...others } = input
    return (
      <div className="mr-well">
        <ToolRequestBesides name={name} others={others} />
        <pre className="mr-output mr-whole">{content}</pre>
      </div>
    )
  }
  const isOneArgument = kindNameOf(name) !== 'other' && isOnlyArgument(input)
  const argument = isOneArgument ? mainArgument(name, input) : undefined
  const shown = argument ?? (input === undefined ? inputText : JSON.stringify(input, null, 2))
  const request = approval?.request
  return (
    <div className="mr-well">
      {changes === undefined ? (
        shown !== undefined && <pre className="mr-output mr-whole">{shown}</pre>
      ) : (
        <>
          {isObject(input) && <ToolRequestBesides name={name} others={besidesChanges(input)} />}
          <Changes lines={changes} />
        </>
      )}
      {request !== undefined && shown === undefined && (
        <pre className="mr-output mr-whole">{JSON.stringify(request, null, 2)}</pre>
      )}
    </div>
  )
}

/** What is asked for besides the changes or the text: the file alone as its path, anything more as JSON. */
function ToolRequestBesides({ name, others }: { readonly name: string; readonly others: JsonObject }) {
  const count = Object.keys(others).length
  if (count === 0) return undefined
  const path = count === 1 ? mainArgument(name, others) : undefined
  return <pre className="mr-output mr-whole">{path ?? JSON.stringify(others, null, 2)}</pre>
}

function Written({
  text,
  path,
  isWriting,
}: {
  readonly text: string
  readonly path: string
  readonly isWriting: boolean
}) {
  const { labels } = useViewContext()
  const lines = text.split('\n')
  const label = labels.fileContent(path)
  if (!isWriting && lines.length > HIGHLIGHTED_UP_TO) return <Output text={text} label={label} />
  const shown = isWriting ? lines.slice(-LIVE_LINES).join('\n') : text
  return (
    <Scroller className="mr-output" label={label}>
      <Code code={shown} language={path} />
      {isWriting && <span className="mr-caret" />}
    </Scroller>
  )
}

const looks: { readonly [Sign in ChangedLine['sign']]: string } = {
  '+': 'mr-line-added',
  '-': 'mr-line-removed',
  ' ': '',
}

function Changes({ lines }: { readonly lines: readonly ChangedLine[] }) {
  const { labels } = useViewContext()
  return (
    <Scroller className="mr-output mr-changes" label={labels.changes}>
      {lines.map(({ sign, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of a change has no identity but its index
        <span key={index} className={`mr-changed ${looks[sign]}`.trim()}>
          {`${sign} ${text}\n`}
        </span>
      ))}
    </Scroller>
  )
}

/** A bar of two pixels; the trigger shows the number. */
export function ProgressBar({ segment }: { readonly segment: ToolSegment }) {
  const percent = segment.progress?.findLast((piece) => piece.percent !== undefined)?.percent
  if (percent === undefined) return undefined
  return (
    <div className="mr-progress" aria-hidden="true">
      <i style={{ width: `${Math.min(100, Math.max(0, percent))}%` }} />
    </div>
  )
}
