import { Output } from '../output/output.tsx'

/** Text that is too heavy to format, or that could not be formatted: all of it, as it is written. */
export function PlainBlock({ text }: { readonly text: string }) {
  return (
    <div className="mr-plain">
      <p className="mr-plain-note">Shown as written: too heavy to format</p>
      <Output text={text} label="Text as written" />
    </div>
  )
}
