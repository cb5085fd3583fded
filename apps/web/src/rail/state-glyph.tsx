import { Icon, type IconName } from '../icon.tsx'
import type { ThreadState } from '../threads/thread-state.ts'

const icons: { readonly [State in ThreadState]?: IconName } = {
  'needs-you': 'ask',
  'handed-over': 'handed-over',
  done: 'check',
  failed: 'failed',
  stopped: 'slash',
}

/** Colour is state; its words stand beside it or are said for it. */
export function StateGlyph({ state }: { readonly state: ThreadState }) {
  const icon = icons[state]
  return (
    <span className={`glyph glyph-${state}`} aria-hidden="true">
      {icon === undefined ? <span className="dot" /> : <Icon name={icon} />}
    </span>
  )
}
