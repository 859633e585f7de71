import type { ParameterView } from '../model/parameter-views.ts'
import type { Schemas } from './schema/index.ts'
import type { ParameterCase } from './schema/parameter-strings.ts'
import { scalarString } from './serialize-parameter.ts'

/** Invalid values of a parameter. A required one is also left out. */
export function parameterBreaks(schemas: Schemas, parameter: ParameterView): ParameterCase[] {
  const cases = schemas.parameters.breaks(parameter.pointer, validParameterText(schemas, parameter))
  return cases.filter(({ value }) => isSingleValue(parameter, value))
}

/** Valid values at the boundaries of a parameter. */
export function parameterBoundaries(schemas: Schemas, parameter: ParameterView): ParameterCase[] {
  const cases = schemas.parameters.boundaries(parameter.pointer, validParameterText(schemas, parameter))
  return cases.filter(({ value }) => value !== undefined && isSingleValue(parameter, value))
}

/**
 * Whether every style serializes the value alike. Separators of several items, and empty lists, differ between
 * services.
 */
function isSingleValue({ kind }: ParameterView, text: string | undefined): boolean {
  if (kind === 'array') return text === undefined || /^[^\s,|]+$/.test(text)
  return kind === 'scalar'
}

/** A valid value of the parameter; for a list, one item. */
export function validParameterText(schemas: Schemas, { pointer, example }: ParameterView): string {
  const [first] = [example].flat()
  return scalarString(first) ?? schemas.parameters.validOf(pointer) ?? ''
}
