import type { ParameterView } from '../model/parameter-views.ts'
import type { Change } from './schema/cases.ts'
import type { Schemas } from './schema/index.ts'
import { scalarString } from './serialize-parameter.ts'

/** A value of a parameter, which is text on its way, and what was changed. */
export interface ParameterCase {
  /** Undefined of one that is left out. */
  readonly value: string | undefined
  readonly change: Change
}

/** Values that break one keyword of a parameter's schema; one that is required is left out too. */
export function parameterBreaks(schemas: Schemas, parameter: ParameterView): ParameterCase[] {
  const cases = schemas.parameters.breaks(parameter.pointer, validParameterText(schemas, parameter))
  return cases
    .filter(({ body }) => isSingleValue(parameter, body))
    .map(({ body: value, change }) => ({ value, change }))
}

/** Values at the edge of a parameter's schema; to be left out is no edge of one that may be. */
export function parameterBoundaries(schemas: Schemas, parameter: ParameterView): ParameterCase[] {
  const cases = schemas.parameters.boundaries(parameter.pointer, validParameterText(schemas, parameter))
  return cases.flatMap(({ body: value, change }) =>
    value !== undefined && isSingleValue(parameter, value) ? [{ value, change }] : [],
  )
}

/**
 * Whether every style writes a value so: of a list one item, since services differ in what stands between several, and
 * in whether nothing is an item; of members nothing.
 */
function isSingleValue({ kind }: ParameterView, text: string | undefined): boolean {
  if (kind === 'list') return text === undefined || /^[^\s,|]+$/.test(text)
  return kind === 'text'
}

/** A text that the parameter may have; of a list, one item. */
export function validParameterText(schemas: Schemas, { pointer, example }: ParameterView): string {
  const [first] = [example].flat()
  return scalarString(first) ?? schemas.parameters.validOf(pointer) ?? ''
}
