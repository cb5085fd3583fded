import { memo } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { Scroller } from '../output/output.tsx'
import { tokensOf } from './highlight.ts'

interface CodeBlockProps {
  readonly code: string
  /** The word after the fence: a language, or a file name. */
  readonly info: string
}

export const CodeBlock = memo(function CodeBlock({ code, info }: CodeBlockProps) {
  return (
    <div className="mr-code">
      <div className="mr-code-head">
        <span className="mr-code-name">{info === '' ? 'text' : info}</span>
        <CopyButton text={code} label="Copy code" />
      </div>
      <Scroller label={`Code, ${info === '' ? 'text' : info}`}>
        <Code code={code} language={info} />
      </Scroller>
    </div>
  )
})

export function Code({ code, language }: { readonly code: string; readonly language: string }) {
  return (
    <code>
      {tokensOf(code, languageOf(language)).map(({ text, kind }, index) =>
        kind === 'plain' ? (
          text
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their index
          <span key={index} className={`mr-token-${kind}`}>
            {text}
          </span>
        ),
      )}
    </code>
  )
}

/** The language of `src/sse.ts` is `ts`. */
function languageOf(info: string): string {
  return (info.split('.').at(-1) ?? '').toLowerCase()
}
