import { type RefObject, useContext, useMemo, useReducer } from 'react'
import { useEffectBeforePaint } from '../use-effect-before-paint.ts'
import type { Row } from './rows.ts'
import { type Article, articlesOf } from './window-articles.ts'
import { WindowContext } from './window-context.ts'
import { wholePlan } from './window-plan.ts'

/** What to draw of these rows: all of them, or what the window around shows. */
export function useArticles(rows: readonly Row[], thread: RefObject<HTMLElement | null>): readonly Article[] {
  const threadWindow = useContext(WindowContext)
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  useEffectBeforePaint(() => threadWindow?.subscribe(redraw), [threadWindow])
  const whole = useMemo(() => wholePlan(rows.length), [rows.length])
  const { parts } = threadWindow?.plan(rows) ?? whole
  useEffectBeforePaint(() => {
    if (thread.current !== null) threadWindow?.drawn(thread.current)
  })
  return articlesOf(rows, parts)
}
