import type { Change } from '../schema/cases.ts'
import type { ParameterView } from './operation-view.ts'
import type { Scene } from './scene.ts'

/** A value of a parameter, which is text on its way, and what was changed. */
export interface ParameterCase {
  readonly value: string
  readonly change: Change
}

/** Values that break one keyword of a parameter's schema. */
export function parameterBreaks({ schemas }: Scene, parameter: ParameterView): ParameterCase[] {
  return textsOf(schemas.parameters.breaks(parameter.pointer, exampleOf(parameter)))
}

/** Values at the edge of a parameter's schema. */
export function parameterBoundaries({ schemas }: Scene, parameter: ParameterView): ParameterCase[] {
  return textsOf(schemas.parameters.boundaries(parameter.pointer, exampleOf(parameter)))
}

function exampleOf({ example }: ParameterView): string {
  return String(example ?? '')
}

/** Those that are there; one that is left out is the usual case. */
function textsOf(
  cases: readonly { readonly body?: string | undefined; readonly change: Change }[],
): ParameterCase[] {
  return cases.flatMap(({ body, change }) => (body === undefined ? [] : [{ value: body, change }]))
}
