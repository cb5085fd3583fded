import type { LinkProps, MarkdownProps } from '@millrace/react'
import type { ReactNode } from 'react'

/** The shop's own renderer of texts: paragraphs, lists and bold words, and nothing else. Real ones parse markdown. */
export function Letter({ text, isLive }: MarkdownProps) {
  return (
    <div className="letter" aria-busy={isLive}>
      {text.split(/\n{2,}/).map((part, index) => (
        <Paragraph key={index} text={part} />
      ))}
    </div>
  )
}

function Paragraph({ text }: { readonly text: string }) {
  const lines = text.split('\n')
  if (!lines.every((line) => line.startsWith('- '))) return <p>{boldIn(text)}</p>
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{boldIn(line.slice(2))}</li>
      ))}
    </ul>
  )
}

function boldIn(text: string): readonly ReactNode[] {
  return text
    .split('**')
    .map((part, index) => (index % 2 === 1 ? <strong key={`${index}-${part}`}>{part}</strong> : part))
}

/** Links leave the shop: an arrow says so. The class is the look of a chip. */
export function OutwardLink({ href, className, title, children }: LinkProps) {
  return (
    <a className={className} href={href} title={title} target="_blank" rel="noreferrer">
      {children}
      <span aria-hidden="true">↗</span>
    </a>
  )
}
