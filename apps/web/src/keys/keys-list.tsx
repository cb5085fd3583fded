import { Modal } from '@millrace/react'
import { useId } from 'react'
import { Icon } from '../icon.tsx'
import { type Command, commandNames, commandOf, regions } from './commands.ts'
import { KeyCaps } from './key-caps.tsx'
import { type KeyChoice, keyChoices } from './key-choice.ts'
import { useKeys } from './keys-context.tsx'
import '../styles/keys.css'

/** All keys, as the table has them, and which of them act. */
export function KeysList({ onClose }: { readonly onClose: () => void }) {
  const headingId = useId()
  return (
    <Modal className="keys-list" label={{ headingId }} onClose={onClose}>
      {(close) => (
        <div className="keys-inside">
          <header className="keys-head">
            <h2 id={headingId}>Keys</h2>
            <ChoiceOfKeys />
            <button type="button" className="icon-button" aria-label="Close" onClick={close}>
              <Icon name="cross" />
            </button>
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: whatever scrolls can be focused */}
          <div className="keys-regions" tabIndex={0}>
            <div className="keys-columns">
              {' '}
              {Object.entries(regions).map(([region, title]) => (
                <section key={region} aria-label={title}>
                  <h3>{title}</h3>
                  <dl>
                    {commandsIn(region).map((command) => (
                      <div key={command.words + command.keys} className="keys-row">
                        <dt>{command.words}</dt>
                        <dd>
                          <KeyCaps keys={command.keys} />
                        </dd>
                      </div>
                    ))}
                  </dl>
                </section>
              ))}
            </div>{' '}
          </div>
        </div>
      )}
    </Modal>
  )
}

const commandsIn = (region: string): readonly Command[] =>
  commandNames.map(commandOf).filter(({ where, keys }) => where === region && keys.length > 0)

/** Single characters can be in the way of who speaks to the page; all can be turned off. */
function ChoiceOfKeys() {
  const { keys, choice } = useKeys()
  const name = useId()
  return (
    <fieldset className="keys-choice">
      <legend>Act</legend>
      {Object.entries(keyChoices).map(([value, words]) => (
        <label key={value}>
          <input
            type="radio"
            name={name}
            value={value}
            checked={choice === value}
            onChange={() => keys.choose(value as KeyChoice)}
          />
          {words}
        </label>
      ))}
    </fieldset>
  )
}
