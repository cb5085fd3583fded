/** What a format or a wire cannot carry, and how often a run would need it. */
export { type Feature, features, type Loss, type Losses, lossesOf } from '../losses.ts'
export { createFeatureCounter, type FeatureCounter } from '../meaning/feature-counter.ts'
