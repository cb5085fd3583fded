import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react'

/** The name of the highlight in the style sheet. */
const NAME = 'found'

/** More than these are never seen at once. */
const MOST_MARKS = 500

/**
 * Marks words in what an element shows, now and whenever that changes, as long as the component is mounted. Nothing is added to
 * the document: React owns it. A browser without highlights marks nothing.
 */
export function useFoundMarks(box: RefObject<HTMLElement | null>, words: readonly string[]): void {
  const wanted = words.join('\n')
  useEffect(() => {
    const element = box.current
    if (element === null || wanted === '' || !('highlights' in CSS)) return
    let frame = 0
    const mark = () => {
      frame = 0
      CSS.highlights.set(NAME, new Highlight(...rangesIn(element, wanted.split('\n'))))
    }
    const observer = new MutationObserver(() => {
      frame ||= requestAnimationFrame(mark)
    })
    observer.observe(element, { childList: true, subtree: true, characterData: true })
    mark()
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
      CSS.highlights.delete(NAME)
    }
  }, [box, wanted])
}

/** Marks words in the page of a thread. */
export function FoundMarks({ words }: { readonly words: readonly string[] }) {
  const main = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    main.current = document.querySelector('#main')
  }, [])
  useFoundMarks(main, words)
  return undefined
}

/** Where the words begin a word, whatever their case. */
function rangesIn(element: HTMLElement, words: readonly string[]): readonly Range[] {
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.map(escaped).join('|')})`, 'giu')
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
  const ranges: Range[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    for (const { index, 0: found } of (node.nodeValue ?? '').matchAll(pattern)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + found.length)
      ranges.push(range)
      if (ranges.length === MOST_MARKS) return ranges
    }
  }
  return ranges
}

const escaped = (text: string) => text.replace(/[$()*+.?[\\\]^{|}-]/g, '\\$&')
