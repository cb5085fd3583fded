import type { Config } from '../config/config.ts'

/** For `millrace.config.ts`: the settings of `millrace serve`. */
export type { Config, ConfigLimits } from '../config/config.ts'

/** Returns the settings as they are: with it, an editor knows their names and types. */
export function defineConfig(config: Config): Config {
  return config
}
