import type { Change } from '../schema/cases.ts'
import type { ParameterView } from './contract.ts'
import { below } from './document.ts'
import type { Scene } from './scene.ts'

/** A value of a parameter, which is text on its way, and what was changed. */
export interface ParameterCase {
  readonly value: string
  readonly change: Change
}

/** Values that break one keyword of a parameter's schema. What is no text cannot be sent. */
export function parameterBreaks({ schemas }: Scene, parameter: ParameterView): ParameterCase[] {
  const pointer = below(parameter.pointer, 'schema')
  return textsOf(schemas.breaks(pointer, exampleOf(parameter)))
}

/** Values at the edge of a parameter's schema. */
export function parameterBoundaries({ schemas }: Scene, parameter: ParameterView): ParameterCase[] {
  const pointer = below(parameter.pointer, 'schema')
  return textsOf(schemas.boundaries(pointer, exampleOf(parameter)))
}

function exampleOf({ example }: ParameterView): string {
  return String(example ?? '')
}

function textsOf(cases: readonly { readonly body: unknown; readonly change: Change }[]): ParameterCase[] {
  return cases.flatMap(({ body, change }) => (typeof body === 'string' ? [{ value: body, change }] : []))
}
