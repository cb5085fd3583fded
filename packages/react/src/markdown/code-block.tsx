import { memo } from 'react'
import type { CodeProps } from '../components.ts'
import { CopyButton } from '../copy-button.tsx'
import { Scroller } from '../output/output.tsx'
import { Slot } from '../slot.tsx'
import { useViewContext } from '../view-context.ts'
import { tokensOf } from './highlight.ts'

/** A code block, by the host's component or ours. */
export const CodeBlock = memo(function CodeBlock(props: CodeProps) {
  const { components } = useViewContext()
  return <Slot component={components.code} props={props} of={props.code} fallback={<OwnCodeBlock {...props} />} />
})

function OwnCodeBlock({ code, language }: CodeProps) {
  const { labels } = useViewContext()
  const name = language === '' ? labels.plainCode : language
  return (
    <div className="mr-code">
      <div className="mr-code-head">
        <span className="mr-code-name">{name}</span>
        <CopyButton text={code} label={labels.copyCode} />
      </div>
      <Scroller label={labels.code(name)}>
        <Code code={code} language={language} />
      </Scroller>
    </div>
  )
}

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
