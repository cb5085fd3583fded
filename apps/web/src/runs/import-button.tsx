import { Icon } from '../icon.tsx'
import { FileButton } from '../recordings/file-button.tsx'

export const ImportButton = () => (
  <FileButton className="mr-button button">
    <Icon name="import" />
    Import
  </FileButton>
)
