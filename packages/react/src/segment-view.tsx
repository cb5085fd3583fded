import { blocksOf, type Segment, type SegmentOf, type SegmentType } from '@millrace/core/fold'
import type { Json } from '@millrace/core/json'
import { memo, type ReactNode } from 'react'
import { componentFor } from './components.ts'
import { Chips } from './segments/chips.tsx'
import { Data } from './segments/data.tsx'
import { RecoveredError } from './segments/error.tsx'
import { LoneApproval } from './segments/lone-approval.tsx'
import { Plan } from './segments/plan.tsx'
import { Processing } from './segments/processing.tsx'
import { Subagent } from './segments/subagent.tsx'
import { Prose } from './segments/text.tsx'
import { Thinking } from './segments/thinking.tsx'
import { Tool } from './segments/tool.tsx'
import { Slot } from './slot.tsx'
import { useContextWith, useViewContext, ViewContextProvider, type ViewSettings } from './view-context.ts'

type View<Type extends SegmentType> = (segment: SegmentOf<Type>, hasNewer: boolean) => ReactNode

/** One view per segment type: a new type does not compile until it has one. */
const views: { readonly [Type in SegmentType]: View<Type> } = {
  text: (segment) => <Prose texts={[segment]} />,
  reasoning: (segment, hasNewer) => <Blocks segment={segment} hasNewer={hasNewer} />,
  status: (segment, hasNewer) => <Blocks segment={segment} hasNewer={hasNewer} />,
  tool: (segment) => <Tool segment={segment} />,
  todos: (segment) => <Plan segment={segment} />,
  subagent: (segment) => <Subagent segment={segment} />,
  approval: (segment) => <LoneApproval segment={segment} />,
  source: (segment) => <Chips chips={[segment]} />,
  file: (segment) => <Chips chips={[segment]} />,
  data: ({ name, data, seqs }) => (isEmpty(data) ? undefined : <Data name={name} value={data} at={seqs[0]} />),
  error: (segment) => <RecoveredError segment={segment} />,
}

/** Data without content is a marker for programs, and not drawn. */
function isEmpty(data: Json): boolean {
  return typeof data === 'object' && data !== null && Object.keys(data).length === 0
}

export interface SegmentViewProps extends ViewSettings {
  readonly segment: Segment
  /** Something newer is below it: a thinking or processing block closes at once. */
  readonly hasNewer?: boolean
}

/** One segment, live or stored. An unknown type, which a newer server may send, is shown as JSON. */
export const SegmentView = memo(function SegmentView({ segment, hasNewer = false, ...settings }: SegmentViewProps) {
  return (
    <ViewContextProvider value={useContextWith(settings)}>
      <SegmentSlot segment={segment} hasNewer={hasNewer} />
    </ViewContextProvider>
  )
})

interface PlainSegmentProps {
  readonly segment: Segment
  readonly hasNewer: boolean
}

/** The host's component for the segment, or our view. */
function SegmentSlot({ segment, hasNewer }: PlainSegmentProps) {
  const { components } = useViewContext()
  const fallback = ownView(segment, hasNewer)
  return (
    <Slot
      component={componentFor(segment, components)}
      props={{ segment, fallback }}
      of={segment}
      fallback={fallback}
    />
  )
}

function ownView(segment: Segment, hasNewer: boolean): ReactNode {
  const view = Object.hasOwn(views, segment.type) ? views[segment.type] : undefined
  if (view === undefined) return <Data name={segment.type} value={segment as unknown as Json} at={segment.seqs[0]} />
  return (view as View<SegmentType>)(segment, hasNewer)
}

function Blocks({ segment, hasNewer }: PlainSegmentProps) {
  return blocksOf([segment]).map((block) => {
    if (block.kind === 'thinking') return <Thinking key={block.key} block={block} hasNewer={hasNewer} />
    if (block.kind === 'processing') return <Processing key={block.key} block={block} hasNewer={hasNewer} />
    return undefined
  })
}
