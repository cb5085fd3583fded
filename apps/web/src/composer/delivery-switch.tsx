interface DeliverySwitchProps {
  readonly value: 'now' | 'next'
  readonly onChoose: (value: 'now' | 'next') => void
}

const choices = [
  { value: 'now', text: 'Steer', title: 'Enter sends to the agent now; with ⌘ or Ctrl after this run' },
  { value: 'next', text: 'Queue', title: 'Enter sends after this run; with ⌘ or Ctrl to the agent now' },
] as const

/** What Enter does while the agent runs. */
export function DeliverySwitch({ value, onChoose }: DeliverySwitchProps) {
  return (
    <fieldset className="delivery">
      <legend className="mr-unseen">What Enter does while the agent runs</legend>
      {choices.map((choice) => (
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
