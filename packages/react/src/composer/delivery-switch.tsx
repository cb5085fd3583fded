import type { Labels } from '../labels.ts'
import { useViewContext } from '../view-context.ts'

interface DeliverySwitchProps {
  readonly value: 'now' | 'next'
  readonly onChoose: (value: 'now' | 'next') => void
}

const choicesIn = ({ steer, steerTitle, queue, queueTitle }: Labels) =>
  [
    { value: 'now', text: steer, title: steerTitle },
    { value: 'next', text: queue, title: queueTitle },
  ] as const

/** What Enter does while the agent runs. */
export function DeliverySwitch({ value, onChoose }: DeliverySwitchProps) {
  const { labels } = useViewContext()
  return (
    <fieldset className="mr-delivery">
      <legend className="mr-unseen">{labels.enterWhileRunning}</legend>
      {choicesIn(labels).map((choice) => (
        <label key={choice.value} title={choice.title}>
          <input
            type="radio"
            name="delivery"
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
          />
          {choice.text}
        </label>
      ))}
    </fieldset>
  )
}
