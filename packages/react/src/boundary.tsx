import { Component, type ReactNode } from 'react'

export interface BoundaryProps {
  /** What the children draw. When it changes, drawing is tried again. */
  readonly of: unknown
  readonly fallback: ReactNode
  readonly children: ReactNode
}

interface BoundaryState {
  readonly of: unknown
  readonly hasFailed: boolean
}

/** Draws the fallback instead of children that throw; nothing else is lost. React requires a class for this. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { of: this.props.of, hasFailed: false }

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { hasFailed: true }
  }

  static getDerivedStateFromProps({ of }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return of === state.of ? null : { of, hasFailed: false }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children
  }
}
