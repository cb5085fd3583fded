import { type ReactNode, type RefObject, useEffect, useState } from 'react'
import type { TimeHead } from './time-head.ts'
import { headText } from './travel-words.ts'

/** What is scrubbed is said once it rests, in ms. */
const REST_MS = 400

interface SliderWords {
  readonly seq: number
  readonly text: string
  /** For a head that is moved by keys elsewhere: the slider says its own value while it has the focus. */
  readonly announcement: ReactNode
}

/** The value of the slider in words, a moment after the head has come to rest. */
export function useSliderWords(head: TimeHead, slider: RefObject<HTMLElement | null>): SliderWords {
  const [words, setWords] = useState(() => wordsOf(head))
  const [announced, setAnnounced] = useState('')
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const rest = () => {
      const next = wordsOf(head)
      setWords((before) => (before.text === next.text ? before : next))
      const { isPresent } = head.point()
      setAnnounced(isPresent || document.activeElement === slider.current ? '' : next.text)
    }
    const leave = head.onMove(() => {
      clearTimeout(timer)
      timer = setTimeout(rest, REST_MS)
    })
    setWords(wordsOf(head))
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [head, slider])
  const announcement = (
    <span className="unseen" role="status">
      {announced}
    </span>
  )
  return { ...words, announcement }
}

function wordsOf(head: TimeHead): Pick<SliderWords, 'seq' | 'text'> {
  const { time, seq, length } = head.point()
  return { seq, text: headText(time - head.axis().from, seq, length) }
}
