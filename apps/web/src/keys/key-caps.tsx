import { type CommandName, commandOf } from './commands.ts'
import { capsOf, isMac, keysText } from './key-combo.ts'
import '../styles/key-caps.css'

/** Keys as caps. Of several keys, each does the same. */
export function KeyCaps({ keys }: { readonly keys: readonly string[] }) {
  return (
    <span className="key-caps">
      {keys.map((each) => (
        <span key={each} className="key-combo">
          {capsOf(each, isMac()).map((cap, index) => (
            <kbd key={index}>{cap}</kbd>
          ))}
        </span>
      ))}
    </span>
  )
}

/** A title with the key that does the same: `Panes (⌘J)`. */
export function titleWithKey(title: string, name: CommandName): string {
  const [key] = commandOf(name).keys
  return key === undefined ? title : `${title} (${keysText(key, isMac())})`
}
